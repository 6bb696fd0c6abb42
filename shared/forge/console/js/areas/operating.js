/** What operators look after. */

import { dispatch, repositories, webhooks } from "../operating/connections.js";
import { operatorPage } from "../operating/page.js";
import { crews, keys, members } from "../operating/team.js";
import { audit, exports, health, settings } from "../operating/workspace.js";
import { at } from "../routes.js";

/** @type {[string, RegExp, import("../operating/page.js").Description][]} */
const PAGES = [
  ["members", /^\/members$/, members],
  ["keys", /^\/keys$/, keys],
  ["crews", /^\/crews$/, crews],
  ["dispatch", /^\/dispatch$/, dispatch],
  ["repositories", /^\/repositories$/, repositories],
  ["webhooks", /^\/webhooks$/, webhooks],
  ["settings", /^\/settings$/, settings],
  ["audit", /^\/audit$/, audit],
  ["exports", /^\/exports$/, exports],
  ["health", /^\/health$/, health],
];

/** @type {import("../areas.js").Area} */
export const operating = {
  title: "Operate",
  places: PAGES.map(([name, , { title }]) => ({ text: title, path: at(`/${name}`), pages: [name] })),
  routes: PAGES.map(([name, pattern, description]) => [name, pattern, [], operatorPage(description)]),
};
