/** What the audit log says of a change, in words: what it was about, and what was different before and after. */

import { paths } from "../routes.js";
import { plain, plainly } from "../words.js";
import { named } from "./forms.js";

const LONGEST = 160;
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const MOMENTS = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
const CONSTANT = /^[A-Z]+(_[A-Z]+)*$/;
/** @type {Record<string, (id: string) => string>} pages about things, by their kinds */
const PATHS = { issue: paths.issue, "agent-run": paths.run, goal: paths.goal, "action-request": paths.request, "review-gate": paths.gate, pipeline: paths.pipeline };

/** @param {any} row @param {Record<string, string>} names */
export function nameOf({ entityId, before, after, payload }, names) {
  const told = { ...payload, ...before, ...after };
  return names[entityId] ?? told.identifier ?? told.title ?? told.name ?? told.fullName ?? entityId;
}

/** @param {any} row @returns {string | null} */
export function pathOf({ entity, entityId }) {
  return PATHS[entity]?.(entityId) ?? null;
}

/** One line for each field that is another now, and for what else was told. @param {any} row @param {Record<string, string>} names */
export function changesOf({ before, after, payload }, names) {
  const fields = Object.keys({ ...before, ...after });
  const say = (/** @type {any} */ value) => {
    const text = saidOf(value, names);
    return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  };
  const changed = fields.map((name) => {
    const [was, is] = [say(before?.[name]), say(after?.[name])];
    return `${named(name)}: ${before && was ? `${was} → ` : ""}${is || "nothing"}`;
  });
  return [...changed, ...Object.entries(payload ?? {}).map(([name, value]) => `${named(name)}: ${say(value) || "nothing"}`)];
}

/** What is stored, as words; nothing where it is empty. @param {any} value @param {Record<string, string>} names @returns {string} */
export function saidOf(value, names) {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map((one) => saidOf(one, names)).join(", ");
  if (MOMENT.test(value)) return MOMENTS.format(new Date(value));
  return names[value] ?? (CONSTANT.test(value) ? plainly(value) : plain(value));
}
