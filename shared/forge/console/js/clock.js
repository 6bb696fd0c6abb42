/** The server's clock, as far as its answers tell: what this device believes may be wrong by hours. */

/** A `Date` header has whole seconds, and takes a moment to arrive: less than this tells nothing. */
const NOTICED_MS = 2_000;
/** How often times are said anew. */
const TICK_MS = 10_000;
let ahead = 0;
/** @type {Set<() => void>} */
const listeners = new Set();
let timer = 0;

/** @param {string | null} date the header of an answer that just came */
export function heardDate(date) {
  const told = Date.parse(date ?? "");
  if (Number.isNaN(told)) return;
  const difference = told - Date.now();
  if (Math.abs(difference - ahead) > NOTICED_MS) ahead = Math.abs(difference) > NOTICED_MS ? difference : 0;
}

/** @returns {number} milliseconds */
export function serverNow() {
  return Date.now() + ahead;
}

/** @param {() => void} listener @returns {() => void} to stop it */
export function onTick(listener) {
  listeners.add(listener);
  timer ||= window.setInterval(() => [...listeners].forEach((one) => one()), TICK_MS);
  return () => {
    listeners.delete(listener);
  };
}
