/** Where runs lie in time, as shares of the whole. No page, no network. */

/** So short a run is still to be seen. */
const LEAST = 0.012;

/**
 * @param {{id: string, startedAt: string, finishedAt: string | null}[]} runs @param {number} now
 * @returns {{begins: number, ends: number, bars: Record<string, {left: number, width: number}>}}
 */
export function timelineOf(runs, now) {
  const begins = Math.min(...runs.map((run) => Date.parse(run.startedAt)));
  const ends = Math.max(begins + 1, ...runs.map((run) => (run.finishedAt ? Date.parse(run.finishedAt) : now)));
  const share = (/** @type {number} */ at) => (at - begins) / (ends - begins);
  const bars = runs.map((run) => {
    const left = Math.min(share(Date.parse(run.startedAt)), 1 - LEAST);
    const until = share(run.finishedAt ? Date.parse(run.finishedAt) : now);
    return [run.id, { left, width: Math.min(Math.max(until - left, LEAST), 1 - left) }];
  });
  return { begins, ends, bars: Object.fromEntries(bars) };
}

/** How long something took, in two units at most. @param {number} ms */
export function lasted(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  const hours = Math.floor(seconds / 3600);
  return hours < 48 ? `${hours} h ${Math.floor((seconds % 3600) / 60)} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
