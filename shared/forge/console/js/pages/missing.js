/** An address that leads nowhere. */

import { goTo, h } from "../dom.js";
import { paths } from "../routes.js";

export const missingPage = {
  title: "There is no such page",
  read: async () => null,
  decide: () => ({ heading: "There is no such page", parts: { way: true } }),
  show: { way: () => h("p", null, "The address may be cut off. ", goTo(paths.inbox, "See what needs you"), ".") },
};
