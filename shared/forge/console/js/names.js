/** Agents by their ids, read seldom: they change less often than what they do. */

import { call, orNothing } from "./api.js";
import { storedKey } from "./session.js";

const KEPT_MS = 60_000;
/** @type {{at: number, key: string | null, agents: Promise<any[]> | null}} */
let known = { at: 0, key: null, agents: null };

/** @returns {Promise<any[]>} none where the key may not see them */
export function allAgents({ isFresh = false } = {}) {
  const key = storedKey();
  if (isFresh || key !== known.key || Date.now() - known.at > KEPT_MS || !known.agents) {
    const agents = readAgents();
    known = { at: Date.now(), key, agents };
    agents.catch(() => (known = { at: 0, key: null, agents: null }));
  }
  return /** @type {Promise<any[]>} */ (known.agents);
}

async function readAgents() {
  return (await orNothing(call("agents.list"), { data: [] })).data;
}

/** @returns {Promise<Record<string, string>>} `@worker` by id */
export async function agentNames() {
  return Object.fromEntries((await allAgents()).map((agent) => [agent.id, `@${agent.profileKey}`]));
}
