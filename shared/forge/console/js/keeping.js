/** What changes seldom is read once for a while, and anew by whoever signs in with another key. */

import { storedKey } from "./session.js";

/**
 * @template Found
 * @param {number} ms so long it is kept @param {() => Promise<Found>} read
 * @returns {(how?: {isFresh?: boolean}) => Promise<Found>} what failed is asked for again
 */
export function keptFor(ms, read) {
  /** @type {{at: number, key: string | null, found: Promise<Found>} | null} */
  let known = null;
  return ({ isFresh = false } = {}) => {
    const key = storedKey();
    if (!isFresh && known && known.key === key && Date.now() - known.at <= ms) return known.found;
    const mine = (known = { at: Date.now(), key, found: read() });
    mine.found.catch(() => known === mine && (known = null));
    return mine.found;
  };
}
