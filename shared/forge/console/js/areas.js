/** What the console consists of: areas, each with its pages and its places in the navigation. */

import { agents } from "./areas/agents.js";
import { figures } from "./areas/figures.js";
import { needs } from "./areas/needs.js";
import { operating } from "./areas/operating.js";
import { plans } from "./areas/plans.js";
import { work } from "./areas/work.js";

/**
 * @typedef {{text: string, path: string, pages: string[], key?: string, counts?: boolean}} Place `pages` are the names of
 * those that it stands for, `key` follows `g`, and `counts` shows how much waits
 * @typedef {{title: string, places: Place[], routes: import("./routes.js").Route[]}} Area
 */

/** @type {Area[]} in the order of the navigation */
export const AREAS = [needs, work, plans, agents, figures, operating];
export const ROUTES = AREAS.flatMap(({ routes }) => routes);
export const PLACES = AREAS.flatMap(({ places }) => places);
