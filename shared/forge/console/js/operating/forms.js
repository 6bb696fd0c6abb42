/** Forms out of what tools say of their fields, and what was said in them. */

import { Refused } from "../api.js";
import { h } from "../dom.js";
import { plainly } from "../words.js";
import { TOOLS } from "./tools.js";

/**
 * @typedef {import("./tools.js").Field} Field
 * @typedef {{value: string, text: string}} Option
 */

/** What a tool says of some of its fields, in this order. @param {string} tool @param {string[]} [names] */
export function fieldsOf(tool, names = []) {
  return names.flatMap((name) => TOOLS[tool].fields.filter((one) => one.name === name));
}

/** What a tool's description says to those who call it, and to nobody who presses a button. */
const FOR_CALLERS = /`|in this answer|\w\.\w/;

/** What a tool does, in the words of its description. @param {string} tool */
export function aboutOf(tool) {
  const [first, ...rest] = TOOLS[tool].about.replace(/,? and return [^;.]*/, "").split("; ");
  return [first, ...rest.filter((clause) => !FOR_CALLERS.test(clause))].join("; ").replace(/\.?$/, ".");
}

/** What is no word. */
const SHORT = { mb: "MiB", usd: "USD", sla: "SLA", pct: "percent", url: "URL" };

/** `maxConcurrent` as `Max concurrent`. @param {string} name */
export function named(name) {
  const words = name.replace(/Id(s?)$/, (_, many) => (many ? "s" : "")).replace(/([a-z])([A-Z])/g, "$1 $2").replace(/([A-Z])([A-Z][a-z])/g, "$1 $2");
  return words.toLowerCase().replace(/\b(mb|usd|sla|pct|url)\b/g, (short) => SHORT[short]).replace(/^./, (first) => first.toUpperCase());
}

/**
 * @param {{fields: Field[], row: any, suggestions?: Record<string, Option[]>, labels?: Record<string, string>}} given `row` is
 * what it is filled with; fields that have labels are not explained
 */
export function Fields({ fields, row, suggestions = {}, labels = {} }) {
  return fields.map((field) => h(FieldOf, { key: field.name, field, value: row?.[field.name], suggested: suggestions[field.name], label: labels[field.name] }));
}

/** @param {{field: Field, value: any, suggested?: Option[], label?: string}} given */
function FieldOf({ field, value, suggested, label }) {
  const id = `field-${field.name}`;
  const hint = field.about && !label ? h("p", { class: "hint", id: `${id}-hint` }, field.about) : null;
  const options = optionsOf(field, value, suggested);
  if (options && (field.kind === "choices" || field.kind === "many")) return h(Choices, { field, value, options });
  const more = { id, name: field.name, required: Boolean(field.isRequired) && field.kind !== "flag", "aria-describedby": hint ? `${id}-hint` : undefined };
  return h(
    "div",
    { class: "field" },
    h("label", { for: id }, label ?? named(field.name), field.isRequired || label ? "" : h("span", { class: "hint" }, " (optional)")),
    control(field, value, options, more),
    hint,
  );
}

/** What is chosen from, if anything; what is chosen already is among it. @param {Field} field @param {any} value @param {Option[]} [suggested] */
function optionsOf(field, value, suggested) {
  if (field.kind === "flag") return [{ value: "true", text: "yes" }, { value: "false", text: "no" }];
  if (field.choices) return field.choices.map((one) => ({ value: one, text: plainly(one) }));
  if (!suggested?.length) return null;
  const missing = [value ?? []].flat().filter((/** @type {string} */ one) => !suggested.some((option) => option.value === one));
  return [...suggested, ...missing.map((/** @type {string} */ one) => ({ value: one, text: one }))];
}

/** @param {Field} field @param {any} value @param {Option[] | null} options @param {Record<string, any>} more */
function control(field, value, options, more) {
  const text = textOf(field, value);
  if (options) {
    const none = field.isRequired ? null : h("option", { value: "" }, "–");
    return h("select", more, none, options.map((one) => h("option", { key: one.value, value: one.value, selected: one.value === text }, one.text)));
  }
  if (field.kind === "time") return h("input", { ...more, type: "datetime-local", defaultValue: text });
  if (field.kind === "number") return h("input", { ...more, type: "number", step: "any", defaultValue: text });
  if (field.kind === "text") return h("input", { ...more, type: "text", autocomplete: "off", defaultValue: text });
  return h("textarea", { ...more, rows: field.kind === "many" ? "2" : "4", defaultValue: text });
}

/** @param {{field: Field, value: any, options: Option[]}} given */
function Choices({ field, value, options }) {
  const chosen = new Set(Array.isArray(value) ? value : []);
  const boxes = options.map((one) =>
    h("label", { key: one.value, class: "check" }, h("input", { type: "checkbox", name: field.name, value: one.value, defaultChecked: chosen.has(one.value) }), one.text),
  );
  return h("fieldset", { class: "field" }, h("legend", null, named(field.name)), field.about ? h("p", { class: "hint" }, field.about) : null, h("div", { class: "boxes" }, boxes));
}

/** A value as it stands in a field. @param {Field} field @param {any} value */
function textOf({ kind }, value) {
  if (value === null || value === undefined) return "";
  if (kind === "many" && Array.isArray(value)) return value.join("\n");
  return kind === "json" ? JSON.stringify(value, null, 2) : String(value);
}

/**
 * What was said, as arguments of the tool. Of what was there before, only what differs; what was emptied is to be cleared
 * where the tool takes that.
 * @param {FormData | URLSearchParams} said @param {Field[]} fields @param {any} row @param {{clearable?: string[]}} [how]
 */
export function argumentsOf(said, fields, row, { clearable = [] } = {}) {
  /** @type {Record<string, unknown>} */
  const given = {};
  const cleared = [];
  for (const field of fields) {
    const before = row?.[field.name];
    const value = valueOf(field, said);
    if (value === undefined) {
      if (before !== undefined && before !== null && before !== "" && clearable.includes(field.name)) cleared.push(field.name);
      continue;
    }
    if (row && JSON.stringify(value) === JSON.stringify(before ?? (Array.isArray(value) ? [] : undefined))) continue;
    given[field.name] = value;
  }
  return cleared.length ? { ...given, clear: cleared } : given;
}

/** @param {Field} field @param {FormData | URLSearchParams} said @returns {unknown} undefined where nothing was said */
function valueOf(field, said) {
  if (field.kind === "choices" || field.kind === "many") {
    const chosen = said.getAll(field.name).flatMap((one) => String(one).split(/[\n,]/)).map((one) => one.trim()).filter(Boolean);
    return chosen.length ? chosen : undefined;
  }
  const text = String(said.get(field.name) ?? "").trim();
  if (!text) return undefined;
  if (field.kind === "number") return Number(text);
  if (field.kind === "flag") return text === "true";
  if (field.kind === "time") return new Date(text).toISOString();
  return field.kind === "json" ? parsed(text, field) : text;
}

/** @param {string} text @param {Field} field */
function parsed(text, field) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused(400, { error: "invalid_input", message: `${named(field.name)} is no JSON: check its brackets and quotes.` });
  }
}
