/** Calling the tools of operators, by the door that each has; and whether whoever is signed in may. */

import { theWorkspace } from "../allowed.js";
import { call, orNothing } from "../api.js";
import { CALLS } from "../calls.js";
import { write } from "../writing.js";
import { TOOLS } from "./tools.js";

const OPERATORS = ["OWNER", "ADMIN"];

// What is loaded later brings along what it calls.
Object.assign(CALLS, Object.fromEntries(Object.entries(TOOLS).map(([name, { fields }]) => [addressed(name), fields.map((one) => one.name)])));

/**
 * @param {string} tool @param {Record<string, unknown>} [given]
 * @returns {Promise<any>}
 */
export function ask(tool, given = {}) {
  return call(addressed(tool), given);
}

/**
 * The same for what changes something.
 * @param {string} tool @param {Record<string, unknown>} given @param {any} memory @param {{isOrdered?: boolean}} [how]
 */
export function enact(tool, given, memory, { isOrdered } = {}) {
  return write(addressed(tool), given, { memory }, { isOrdered });
}

/** Who asks, and what their key may. @returns {Promise<Viewer | null>} */
export async function theViewer() {
  return (await orNothing(theWorkspace(), null))?.viewer ?? null;
}

/**
 * @typedef {{role?: string, scopes: string[]}} Viewer
 * @param {Viewer | null} viewer @param {string} tool
 */
export function may(viewer, tool) {
  if (!viewer) return false;
  const { door, scopes } = TOOLS[tool];
  const isAdmitted = door === "mcp" || OPERATORS.includes(viewer.role ?? "");
  return isAdmitted && scopes.every((scope) => viewer.scopes.includes(scope));
}

/** @param {string} tool */
function addressed(tool) {
  return TOOLS[tool].door === "admin" ? `admin/${tool}` : tool;
}
