/** Forms out of what tools say of their fields, and what was said in them. */

import { Refused } from "../api.js";
import { h } from "../dom.js";
import { plainly } from "../words.js";

/** @typedef {import("./tools.js").Field} Field */

/** `maxConcurrent` as `Max concurrent`. @param {string} name */
export function named(name) {
  const words = name.replace(/Id(s?)$/, (_, many) => (many ? "s" : "")).replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return words.replace(/^./, (first) => first.toUpperCase());
}

/**
 * @param {{fields: Field[], row: any, suggestions?: Record<string, string[]>}} given `row` is what it is filled with
 */
export function Fields({ fields, row, suggestions = {} }) {
  return fields.map((field) => h(FieldOf, { key: field.name, field, value: row?.[field.name], suggested: suggestions[field.name] }));
}

/** @param {{field: Field, value: any, suggested?: string[]}} given */
function FieldOf({ field, value, suggested }) {
  const id = `field-${field.name}`;
  const hint = field.about ? h("p", { class: "hint", id: `${id}-hint` }, field.about) : null;
  if (field.kind === "choices") return h(Choices, { field, value });
  const more = { id, name: field.name, required: Boolean(field.isRequired) && field.kind !== "flag", "aria-describedby": hint ? `${id}-hint` : undefined };
  const list = suggested?.length ? h("datalist", { id: `${id}-list` }, suggested.map((one) => h("option", { key: one, value: one }))) : null;
  return h(
    "div",
    { class: "field" },
    h("label", { for: id }, named(field.name), field.isRequired ? "" : h("span", { class: "hint" }, " (optional)")),
    control(field, value, list ? { ...more, list: `${id}-list` } : more),
    list,
    hint,
  );
}

/** @param {Field} field @param {any} value @param {Record<string, any>} more */
function control(field, value, more) {
  const text = textOf(field, value);
  if (field.kind === "choice" || field.kind === "flag") {
    const choices = field.kind === "flag" ? ["true", "false"] : (field.choices ?? []);
    const said = (/** @type {string} */ one) => (field.kind === "flag" ? (one === "true" ? "yes" : "no") : plainly(one));
    const none = field.isRequired ? null : h("option", { value: "" }, "–");
    return h("select", more, none, choices.map((one) => h("option", { key: one, value: one, selected: one === text }, said(one))));
  }
  if (field.kind === "number") return h("input", { ...more, type: "number", step: "any", defaultValue: text });
  if (field.kind === "text") return h("input", { ...more, type: "text", autocomplete: "off", defaultValue: text });
  return h("textarea", { ...more, rows: field.kind === "many" ? "2" : "4", defaultValue: text });
}

/** @param {{field: Field, value: any}} given */
function Choices({ field, value }) {
  const chosen = new Set(Array.isArray(value) ? value : []);
  const boxes = (field.choices ?? []).map((one) =>
    h("label", { key: one, class: "check" }, h("input", { type: "checkbox", name: field.name, value: one, defaultChecked: chosen.has(one) }), plainly(one)),
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
 * @param {FormData} said @param {Field[]} fields @param {any} row @param {{clearable?: string[]}} [how]
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

/** @param {Field} field @param {FormData} said @returns {unknown} undefined where nothing was said */
function valueOf(field, said) {
  if (field.kind === "choices") {
    const chosen = said.getAll(field.name).map(String);
    return chosen.length ? chosen : undefined;
  }
  const text = String(said.get(field.name) ?? "").trim();
  if (!text) return undefined;
  if (field.kind === "number") return Number(text);
  if (field.kind === "flag") return text === "true";
  if (field.kind === "many") return text.split(/[\n,]/).map((one) => one.trim()).filter(Boolean);
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
