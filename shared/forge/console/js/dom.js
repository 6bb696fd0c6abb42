/**
 * Elements out of plain values, drawn by Preact. Text is only ever text: whatever an agent wrote, nothing here reads it
 * as markup.
 */

import htm from "../vendor/htm.js";
import { useEffect, useState } from "../vendor/hooks.js";
import { Component, h as element, isValidElement } from "../vendor/preact.js";
import { onTick, serverNow } from "./clock.js";
import { absolute, plain, relative } from "./words.js";

/** @typedef {import("../vendor/preact.js").VNode<any>} Drawn */

/** Browsers take a backslash for a slash, and leave out tabs and ends of lines: `/\\host` is a host. */
const OWN_PATH = /^\/(?!\/)[^\u0000-\u0020\\]*$/;
const WEB = /^https?:\/\//i;
/** Tags that only machines read, and marks that turn the direction of what follows. */
const UNSEEN = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\u{e0000}-\u{e007f}]/gu;
/** Whatever a browser goes to by itself, or when it is clicked. */
const ADDRESSES = new Set(["href", "src", "action", "formaction", "xlink:href"]);
/** By these Preact would write markup; a style that is a string is markup, too. */
const MARKUP = "dangerouslySetInnerHTML";

/**
 * @param {any} tag a name, or a component
 * @param {Record<string, any> | null} properties attributes; functions under `on…` listen
 * @param {...any} children elements, texts, lists of them; null and false are left out
 * @returns {Drawn}
 */
export function h(tag, properties, ...children) {
  return element(tag, typeof tag === "string" ? safe(properties) : properties, ...children.map(shown));
}

/** The same as a template: html`<p class="hint">${text}</p>`. */
export const html = /** @type {(strings: TemplateStringsArray, ...values: any[]) => any} */ (htm.bind(h));

/**
 * A link to a page of the console.
 * @param {string} path
 * @param {...any} children
 */
export function goTo(path, ...children) {
  return h("a", { href: path }, ...children);
}

/**
 * A link to elsewhere; where it leads can be read, because its text may be anybody's.
 * @param {string} address
 * @param {any} [text]
 */
export function elsewhere(address, text) {
  const isPlain = !text || text === address;
  const target = isPlain ? null : h("span", { class: "target" }, ` (${address})`);
  if (!WEB.test(address)) return h("span", null, text ?? address, target);
  const link = h("a", { href: address, rel: "noopener noreferrer", target: "_blank" }, text ?? address);
  return isPlain ? link : h("span", null, link, target);
}

/**
 * When something happened, as people say it, and said anew as time passes.
 * @param {string | null | undefined} iso
 */
export function when(iso) {
  return iso ? h(Time, { iso, isToCome: false }) : null;
}

/**
 * The same of what is to come, or should have.
 * @param {string} iso
 */
export function upcoming(iso) {
  return h(Time, { iso, isToCome: true });
}

/**
 * For how long something has been so.
 * @param {string} iso
 */
export function lasting(iso) {
  return h(Time, { iso, isToCome: false, isLasting: true });
}

/** @param {{iso: string, isToCome: boolean, isLasting?: boolean}} told */
function Time({ iso, isToCome, isLasting = false }) {
  const [, tell] = useState("");
  const text = () => {
    const said = relative(iso, serverNow(), { isToCome });
    return isLasting ? (said === "just now" ? "for a moment" : `for ${said.replace(/ ago$/, "")}`) : said;
  };
  useEffect(() => onTick(() => tell(text())), [iso, isToCome, isLasting]);
  // Hundreds are shown, and the whole of one is asked for by pointing at it.
  const whole = (/** @type {any} */ event) => void (event.currentTarget.title = absolute(iso));
  return h("time", { datetime: iso, onpointerenter: whole }, text());
}

/**
 * One of many that is drawn anew only when what it shows has changed: lists of hundreds are read again every few seconds.
 * @typedef {{of: any, draw: (of: any) => any}} Same
 */
export class Kept extends Component {
  constructor(/** @type {Same} */ given) {
    super(given);
    this.text = JSON.stringify(given.of);
  }

  shouldComponentUpdate(/** @type {any} */ next) {
    const text = JSON.stringify(next.of);
    const isOther = text !== this.text;
    this.text = text;
    return isOther;
  }

  render(/** @type {any} */ { of, draw }) {
    return draw(of);
  }
}

/**
 * A small mark; `tone` is one of good, warn, bad, live, calm.
 * @param {any} text
 * @param {string} [tone]
 */
export function mark(text, tone = "calm") {
  return h("span", { class: `mark ${tone}` }, text);
}

/**
 * Facts under one another: names on the left, values on the right; those without a value are left out.
 * @param {[string, any][]} pairs
 */
export function facts(pairs) {
  const said = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== false);
  if (!said.length) return null;
  return h(
    "dl",
    { class: "facts" },
    said.map(([name, value]) => h("div", { key: name }, h("dt", null, name), h("dd", null, value))),
  );
}

/**
 * A titled part of a page.
 * @param {any} title
 * @param {...any} children
 */
export function section(title, ...children) {
  return h("section", null, h("h2", null, title), ...children);
}

/**
 * What is shown where there is nothing.
 * @param {...any} words
 */
export function nothing(...words) {
  return h("p", { class: "nothing" }, ...words);
}

/** What went wrong, said to whoever listens, too; without words it is not there. */
export function trouble(/** @type {any} */ words) {
  return h("p", { class: "trouble", role: "alert", hidden: !words }, words);
}

/** @param {Record<string, any> | null} properties */
function safe(properties) {
  if (!properties) return null;
  const kept = Object.entries(properties).filter(([name, value]) => isAllowed(name, value));
  return Object.fromEntries(kept.map(([name, value]) => [name, value === false ? undefined : value]));
}

/** @param {string} name @param {any} value */
function isAllowed(name, value) {
  if (name === MARKUP || (name === "style" && typeof value === "string")) return false;
  return !ADDRESSES.has(name.toLowerCase()) || value === null || value === undefined || isSafe(String(value));
}

/** @param {string} address */
function isSafe(address) {
  return OWN_PATH.test(address) || WEB.test(address) || address.startsWith("#");
}

/** @param {any} child @returns {any} */
function shown(child) {
  if (child === null || child === undefined || typeof child === "boolean") return null;
  if (Array.isArray(child)) return child.map(shown);
  return isValidElement(child) ? child : visible(plain(child));
}

/** What can't be seen is shown as such, so that nothing reads otherwise than it is. */
function visible(/** @type {string} */ text) {
  return text.replace(UNSEEN, "\ufffd");
}
