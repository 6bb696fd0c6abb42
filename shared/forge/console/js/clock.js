/** The server's clock, as far as its answers tell: what this device believes may be wrong by hours. */

/** A `Date` header has whole seconds, and takes a moment to arrive: less than this tells nothing. */
const NOTICED_MS = 2_000;
let ahead = 0;

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
