/** What issues are described with: statuses, labels, projects, cycles. It seldom changes, so it is read once a minute. */

import { call, orNothing, rowsOf } from "./api.js";
import { keptFor } from "./keeping.js";

const KEPT_MS = 60_000;

/**
 * @typedef {{id: string, name: string}} Term
 * @typedef {{statuses: (Term & {category: string})[], labels: Term[], projects: (Term & {key: string})[], cycles: (Term & {status: string})[]}} Terms
 */

export const theTerms = keptFor(KEPT_MS, readTerms);

/** @returns {Promise<Terms>} */
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
