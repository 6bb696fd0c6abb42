/** The pages of operators, by their names in the address. */

import { dispatch, repositories, webhooks } from "./connections.js";
import { operatorPage } from "./page.js";
import { crews, keys, members } from "./team.js";
import { audit, exports, health, settings } from "./workspace.js";

const DESCRIPTIONS = { members, keys, crews, dispatch, repositories, webhooks, settings, audit, exports, health };

/** @type {Record<string, import("../opening.js").Page>} */
export const PAGES = Object.fromEntries(Object.entries(DESCRIPTIONS).map(([name, one]) => [name, operatorPage(one)]));
