/** Stretches of time as parts of a day or a run: where each begins and how long it is, in hundredths of the whole. */

/**
 * @typedef {{from: number, to: number}} Frame in milliseconds
 * @typedef {{id: string, startedAt: string, finishedAt?: string | null}} Lasting
 */

/**
 * Where something lies in a frame; null where it lies outside. What has not ended lasts until now.
 * @param {Lasting} one @param {Frame} frame @param {number} now
 */
export function within(one, { from, to }, now) {
  const begins = Date.parse(one.startedAt);
  const ends = one.finishedAt ? Date.parse(one.finishedAt) : Math.max(begins, Math.min(now, to));
  if (Number.isNaN(begins) || ends < from || begins > to) return null;
  const whole = to - from;
  const left = ((Math.max(begins, from) - from) / whole) * 100;
  const width = ((Math.min(ends, to) - Math.max(begins, from)) / whole) * 100;
  return { left: round(left), width: round(width) };
}

/**
 * As many rows as are needed so that no two of a row overlap: each goes into the first that is free.
 * @template {{left: number, width: number}} T @param {T[]} bars in the order of their beginnings
 * @param {number} least how wide each is at the least, because it has to be seen
 * @returns {(T & {row: number})[]}
 */
export function stacked(bars, least = 0.6) {
  /** @type {number[]} */
  const ends = [];
  return bars.map((bar) => {
    const free = ends.findIndex((end) => end <= bar.left);
    const row = free < 0 ? ends.length : free;
    ends[row] = bar.left + Math.max(bar.width, least);
    return { ...bar, row };
  });
}

/**
 * Round moments to be named below a frame, six at most.
 * @param {Frame} frame @returns {{at: number, left: number}[]}
 */
export function ticksOf({ from, to }) {
  const minute = 60_000;
  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720, 1440, 2880, 10_080].map((one) => one * minute);
  const step = steps.find((one) => (to - from) / one <= 6) ?? steps[steps.length - 1];
  const ticks = [];
  for (let at = Math.ceil(from / step) * step; at <= to && ticks.length < 8; at += step)
    ticks.push({ at, left: round(((at - from) / (to - from)) * 100) });
  return ticks;
}

/** How long it took or takes, as people say it. @param {number} milliseconds */
export function lengthOf(milliseconds) {
  const minutes = Math.max(0, Math.round(milliseconds / 60_000));
  if (minutes < 1) return "less than a minute";
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  return `${Math.round(hours / 24)} days`;
}

/** @param {number} number */
function round(number) {
  return Math.round(number * 100) / 100;
}
