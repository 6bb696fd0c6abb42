/** What whoever is signed in may do: offered is what their key has the scopes for; the server refuses whatever else. */

import { call, orNothing } from "./api.js";
import { SCOPES } from "./calls/scopes.js";
import { storedKey } from "./session.js";

/** @type {{key: string | null, workspace: Promise<any> | null}} */
let known = { key: null, workspace: null };

/** The workspace, with `viewer`: read once for each key. @returns {Promise<any>} */
export function theWorkspace() {
  const key = storedKey();
  if (key === known.key && known.workspace) return known.workspace;
  const workspace = call("workspace.get");
  known = { key, workspace };
  // What failed is asked for again.
  workspace.catch(() => (known = { key: null, workspace: null }));
  return workspace;
}

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
