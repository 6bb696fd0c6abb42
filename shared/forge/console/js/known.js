/** What issues are described with: statuses, labels, projects, cycles. It seldom changes, so it is read once a minute. */

import { call, orNothing, rowsOf } from "./api.js";
import { storedKey } from "./session.js";

const KEPT_MS = 60_000;
/** @type {{at: number, key: string | null, terms: Promise<Terms> | null}} */
let known = { at: 0, key: null, terms: null };

/**
 * @typedef {{id: string, name: string}} Term
 * @typedef {{statuses: (Term & {category: string})[], labels: Term[], projects: (Term & {key: string})[], cycles: (Term & {status: string})[]}} Terms
 */

/** @param {{isFresh?: boolean}} [how] @returns {Promise<Terms>} */
export function theTerms({ isFresh = false } = {}) {
  const key = storedKey();
  if (isFresh || key !== known.key || Date.now() - known.at > KEPT_MS || !known.terms) {
    const terms = readTerms();
    known = { at: Date.now(), key, terms };
    terms.catch(() => (known = { at: 0, key: null, terms: null }));
  }
  return /** @type {Promise<Terms>} */ (known.terms);
}

async function readTerms() {
  const [statuses, labels, projects, cycles] = await Promise.all([
    call("statuses.list"),
    orNothing(call("labels.list"), { data: [] }),
    rowsOf("projects.list"),
    rowsOf("cycles.list"),
  ]);
  return {
    statuses: statuses.data.map(({ id, name, category }) => ({ id, name, category })),
    labels: labels.data.map(({ id, name }) => ({ id, name })),
    projects: projects.map(({ id, name, key }) => ({ id, name, key })),
    cycles: cycles.map(({ id, name, status }) => ({ id, name, status })),
  };
}
