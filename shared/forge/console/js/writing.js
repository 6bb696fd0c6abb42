/** Changing something: each deed takes effect once, even where its answer was lost. */

import { call } from "./api.js";
import { onceFor } from "./deciding.js";

/**
 * @param {string} tool
 * @param {Record<string, any>} given
 * @param {{memory: any}} context
 * @param {{isOrdered?: boolean}} [how]
 * @returns {Promise<any>}
 */
export async function write(tool, given, context, how = {}) {
  const answer = await call(tool, given, { ...how, once: onceFor(context.memory, tool, given) });
  // It is done: the same again, later, is another deed.
  context.memory.attempts = {};
  return answer;
}
