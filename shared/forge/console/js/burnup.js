/** How many issues there were to do, and how many were done, day by day. No page, no network. */

const DAY_MS = 86_400_000;
const MOST_DAYS = 400;

/**
 * Days are those of the server, UTC. What is done without a time counts from its last change; of days to come nothing is
 * said, but they are there.
 * @param {{createdAt: string, completedAt?: string | null, isDone: boolean, updatedAt: string}[]} issues
 * @param {{from: number, now: number, until?: number}} span in milliseconds
 * @returns {{days: string[], scope: (number | null)[], done: (number | null)[]}}
 */
export function burnUp(issues, { from, now, until = now }) {
  const first = Math.floor(Math.max(from, until - MOST_DAYS * DAY_MS) / DAY_MS);
  const today = Math.floor(now / DAY_MS);
  // One day alone is no line.
  const last = Math.max(first + 1, Math.floor(until / DAY_MS));
  const days = Array.from({ length: last - first + 1 }, (_, place) => first + place);
  const begun = issues.map((one) => Math.floor(Date.parse(one.createdAt) / DAY_MS));
  const ended = issues.filter((one) => one.isDone).map((one) => Math.floor(Date.parse(one.completedAt ?? one.updatedAt) / DAY_MS));
  const upTo = (/** @type {number[]} */ all) => days.map((day) => (day > today ? null : all.filter((one) => one <= day).length));
  return {
    days: days.map((day) => new Date(day * DAY_MS).toISOString().slice(0, 10)),
    scope: upTo(begun),
    done: upTo(ended),
  };
}

/** @param {{category: string}[]} statuses of the issues */
export function progressOf(statuses) {
  const counted = statuses.filter(({ category }) => category !== "CANCELED");
  const done = counted.filter(({ category }) => category === "DONE").length;
  const live = counted.filter(({ category }) => ["IN_PROGRESS", "IN_REVIEW"].includes(category)).length;
  return { total: counted.length, done, live, share: counted.length ? done / counted.length : null };
}
