/** Agents by their ids, read seldom: they change less often than what they do. */

import { call, orNothing } from "./api.js";
import { keptFor } from "./keeping.js";

const KEPT_MS = 60_000;

export const allAgents = keptFor(KEPT_MS, readAgents);

/** @returns {Promise<any[]>} none where the key may not see them */
async function readAgents() {
  return (await orNothing(call("agents.list"), { data: [] })).data;
}

/** @returns {Promise<Record<string, string>>} `@worker` by id */
export async function agentNames() {
  return Object.fromEntries((await allAgents()).map((agent) => [agent.id, `@${agent.profileKey}`]));
}
