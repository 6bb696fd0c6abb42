/** Runs that go on or wait, all of them: a page of a long list is short, so what was read is kept for some seconds. */

import { rowsOf } from "./api.js";
import { keptFor } from "./keeping.js";

/** Less than what the pulse waits: what it tells of is read. */
const KEPT_MS = 4_000;
/** Of some fifty runs each. */
export const MOST_PAGES = 12;
const FIELDS = ["status", "startedAt", "issue", "agent"];

export const liveRuns = keptFor(KEPT_MS, async () => {
  const lists = await Promise.all(["ACTIVE", "WAITING"].map((status) => rowsOf("runs.list", { status, limit: 200, fields: FIELDS }, MOST_PAGES)));
  return lists.flat();
});
