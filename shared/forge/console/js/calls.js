/**
 * Every tool that the console calls, each with the arguments it may send; one file for each area. `api.js` refuses
 * whatever is not here, and a test holds the files to the catalog: it reads what is between the outer braces as JSON.
 */

import { EVERYWHERE } from "./calls/everywhere.js";
import { FIGURES } from "./calls/figures.js";
import { NEEDS } from "./calls/needs.js";
import { PLANS } from "./calls/plans.js";
import { WORK } from "./calls/work.js";

/** @type {Record<string, string[]>} */
export const CALLS = { ...EVERYWHERE, ...NEEDS, ...WORK, ...PLANS, ...FIGURES };
