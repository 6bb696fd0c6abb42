/** Agents by their ids, read seldom: they change less often than what they do. */

import { call, orNothing } from "./api.js";
import { storedKey } from "./session.js";

const KEPT_MS = 60_000;
/** @type {{at: number, key: string | null, agents: any[]}} */
let known = { at: 0, key: null, agents: [] };

/** @returns {Promise<any[]>} none where the key may not see them */
export async function allAgents({ isFresh = false } = {}) {
  const key = storedKey();
  if (isFresh || key !== known.key || Date.now() - known.at > KEPT_MS) {
    const answer = await orNothing(call("agents.list"), { data: [] });
    known = { at: Date.now(), key, agents: answer.data };
  }
  return known.agents;
}

/** @returns {Promise<Record<string, string>>} `@worker` by id */
export async function agentNames() {
  return Object.fromEntries((await allAgents()).map((agent) => [agent.id, `@${agent.profileKey}`]));
}
