/** What operators look after. */

import { later } from "../later.js";
import { at } from "../routes.js";

/** @type {[string, RegExp, string][]} */
const PLACES = [
  ["members", /^\/members$/, "Members"],
  ["keys", /^\/keys$/, "Keys"],
  ["crews", /^\/crews$/, "Crews"],
  ["dispatch", /^\/dispatch$/, "Dispatch rules"],
  ["repositories", /^\/repositories$/, "Repositories"],
  ["webhooks", /^\/webhooks$/, "Webhooks"],
  ["settings", /^\/settings$/, "Settings"],
  ["audit", /^\/audit$/, "Audit"],
  ["exports", /^\/exports$/, "Exports"],
  ["health", /^\/health$/, "Health"],
];

const load = async (/** @type {string} */ name) => (await import("../operating/pages.js")).PAGES[name];

/** @type {import("../areas.js").Area} */
export const operating = {
  title: "Operate",
  places: PLACES.map(([name, , text]) => ({ text, path: at(`/${name}`), pages: [name] })),
  routes: PLACES.map(([name, pattern, title]) => [name, pattern, [], later(title, () => load(name))]),
};
