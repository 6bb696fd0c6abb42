/**
 * Tells within five seconds that something happened: one call that asks for the newest events, while somebody looks. The
 * page is read anew for any of them, and what waits only for those that can change it.
 */

import { Refused, call } from "./api.js";
import { keepFresh } from "./live.js";
import { readWaiting, sortWaiting } from "./waiting.js";

const SECONDS = 5;
/** A tab in the background shows its title. */
const HIDDEN_SECONDS = 30;
const SEEN = 20;
/** What people are asked, and what runs into them. */
const CALLING = ["action-request", "review-gate", "agent-run", "execution-plan", "execution-step", "pipeline"];

/**
 * @param {{waiting: (count: number) => void, news: () => void, isCounted: () => boolean, shown: Promise<void>}} hears it
 * counts once there is something to be seen, if nobody has until then
 */
export function startPulse(hears) {
  const known = { id: undefined };
  const live = keepFresh(() => listen(known, hears), { seconds: SECONDS, hidden: HIDDEN_SECONDS, trouble: () => {} });
  live.now();
  return live;
}

async function listen(known, hears) {
  const { data } = await call("events.recent", { limit: SEEN, fields: ["id", "subjectType"] });
  const newest = data[0]?.id ?? null;
  const isFirst = known.id === undefined;
  if (newest === known.id) return;
  const seen = data.findIndex(({ id }) => id === known.id);
  const fresh = seen < 0 ? data : data.slice(0, seen);
  known.id = newest;
  if (!isFirst) hears.news();
  // More than are shown may have happened: then any of them may have been one of these.
  const isCalled = seen < 0 || fresh.some(({ subjectType }) => CALLING.includes(subjectType));
  if (isFirst) await hears.shown;
  if (isFirst ? !hears.isCounted() : isCalled) hears.waiting(await countWaiting());
}

async function countWaiting() {
  try {
    return sortWaiting(await readWaiting()).yours.length;
  } catch (refusal) {
    if (refusal instanceof Refused && refusal.status === 403) return 0;
    throw refusal;
  }
}
