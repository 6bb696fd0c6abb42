/** What whoever is signed in may do: offered is what their key has the scopes for; the server refuses whatever else. */

import { call, orNothing } from "./api.js";
import { SCOPES } from "./calls/scopes.js";
import { keptFor } from "./keeping.js";

/** The workspace, with `viewer`: read once for each key. */
export const theWorkspace = keptFor(Infinity, () => call("workspace.get"));

/** @param {string} tool @returns {Promise<boolean>} */
export async function mayCall(tool) {
  const needed = SCOPES[tool];
  if (!needed) throw new Error(`calls/scopes.js does not say what ${tool} needs.`);
  const workspace = await orNothing(theWorkspace(), null);
  return Boolean(workspace && needed.every((scope) => workspace.viewer.scopes.includes(scope)));
}

/** @returns {Promise<boolean>} whether the pages and troubles of administrators are theirs */
export async function mayAdminister() {
  const workspace = await orNothing(theWorkspace(), null);
  return Boolean(workspace?.viewer.scopes.includes("ADMIN"));
}

/** Of several tools, by name. @param {string[]} tools @returns {Promise<Record<string, boolean>>} */
export async function mayCallEach(tools) {
  const answers = await Promise.all(tools.map(mayCall));
  return Object.fromEntries(tools.map((tool, place) => [tool, answers[place]]));
}
