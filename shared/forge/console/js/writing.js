/** Changing something: each deed takes effect once, even where its answer was lost. */

import { call } from "./api.js";
import { onceFor } from "./deciding.js";

/**
 * @param {string} tool
 * @param {Record<string, any>} given
 * @param {import("./opening.js").Context} context
 * @returns {Promise<any>}
 */
export async function write(tool, given, context) {
  const answer = await call(tool, given, { once: onceFor(context.memory, tool, given) });
  // It is done: the same again, later, is another deed.
  context.memory.attempts = {};
  return answer;
}
