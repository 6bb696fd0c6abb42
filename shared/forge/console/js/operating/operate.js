/** Calling the tools of operators, by the door that each has; and whether whoever is signed in may. */

import { call, orNothing } from "../api.js";
import { onceFor } from "../deciding.js";
import { TOOLS } from "./tools.js";

const OPERATORS = ["OWNER", "ADMIN"];

/** What `api.js` lets pass. @type {Record<string, string[]>} */
export const OPERATED = Object.fromEntries(Object.entries(TOOLS).map(([name, { fields }]) => [name, fields.map((one) => one.name)]));

/**
 * @param {string} tool @param {Record<string, unknown>} [given]
 * @returns {Promise<any>}
 */
export function ask(tool, given = {}) {
  return call(tool, given, { door: TOOLS[tool].door });
}

/**
 * The same for what changes something: it takes effect once, even where its answer was lost.
 * @param {string} tool @param {Record<string, unknown>} given @param {any} memory
 */
export async function change(tool, given, memory) {
  const answer = await call(tool, given, { door: TOOLS[tool].door, once: onceFor(memory, tool, given) });
  // It is done: the same again, later, is another deed.
  memory.attempts = {};
  return answer;
}

/** Who asks, and what their key may; nothing where the server does not say. @returns {Promise<Viewer | null>} */
export async function theViewer() {
  const workspace = await orNothing(call("workspace.get"), null);
  return workspace?.viewer ?? null;
}

/**
 * @typedef {{role?: string, scopes: string[]}} Viewer
 * @param {Viewer | null} viewer @param {string} tool
 */
export function may(viewer, tool) {
  if (!viewer) return true;
  const { door, scopes } = TOOLS[tool];
  const isAdmitted = door === "mcp" || OPERATORS.includes(viewer.role ?? "");
  return isAdmitted && scopes.every((scope) => viewer.scopes.includes(scope));
}
