/** Fields of forms: a name above, and what one chooses or types below. */

import { useRef } from "../vendor/hooks.js";
import { h } from "./dom.js";

/** @typedef {{value: string, text: string}} Choice */

/**
 * @param {string} label
 * @param {Record<string, any>} properties with `id`
 * @param {Choice[]} choices
 * @param {string} [chosen] where it changes by itself, and else `defaultValue` in the properties
 */
export function choiceField(label, properties, choices, chosen) {
  const options = choices.map(({ value, text }) => h("option", { key: value, value, selected: value === chosen }, text));
  return h("div", { class: "field" }, h("label", { for: properties.id }, label), h("select", properties, options));
}

/** @param {string} label @param {Record<string, any>} properties with `id` */
export function textField(label, properties) {
  const tag = properties.rows ? "textarea" : "input";
  return h("div", { class: "field" }, h("label", { for: properties.id }, label), h(tag, properties));
}

/** @param {string} label @param {Record<string, any>} properties */
export function checkField(label, properties) {
  return h("label", { class: "check" }, h("input", { type: "checkbox", ...properties }), label);
}

/** @param {string} none the first choice, which is none @param {{id: string, name: string}[]} terms @returns {Choice[]} */
export function choicesOf(none, terms) {
  return [{ value: "", text: none }, ...terms.map(({ id, name }) => ({ value: id, text: name }))];
}

export const PRIORITIES = ["NONE", "LOW", "MEDIUM", "HIGH", "URGENT"];

/** What a form says, by the names of its fields. @param {HTMLFormElement} form @returns {(name: string) => string} */
export function saidIn(form) {
  const given = new FormData(form);
  return (name) => String(given.get(name) ?? "").trim();
}

/**
 * A small form that is folded until it is needed.
 * @param {{name: string, add: (said: (name: string) => string, form: HTMLFormElement) => Promise<boolean>, isUnderWay: boolean, children?: any}} given
 * `add` says whether it was done: what was refused stays to be mended
 */
export function Adding({ name, add, isUnderWay, children }) {
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  const submit = async (/** @type {any} */ event) => {
    event.preventDefault();
    const adding = form.current;
    if (await add(saidIn(event.currentTarget), event.currentTarget)) adding?.reset();
  };
  return h(
    "details",
    { class: "adding" },
    h("summary", null, name),
    h("form", { ref: form, onsubmit: submit }, children, h("button", { type: "submit", disabled: isUnderWay }, "Add")),
  );
}
