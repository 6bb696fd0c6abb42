/** Elements out of plain values. Text is only ever text: whatever an agent wrote, nothing here reads it as markup. */

import { serverNow } from "./clock.js";
import { absolute, plain, relative } from "./words.js";

/** Browsers take a backslash for a slash, and leave out tabs and ends of lines: `/\\host` is a host. */
const OWN_PATH = /^\/(?!\/)[^\u0000-\u0020\\]*$/;
const WEB = /^https?:\/\//i;
/** Tags that only machines read, and marks that turn the direction of what follows. */
const UNSEEN = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\u{e0000}-\u{e007f}]/gu;

/**
 * @param {string} tag
 * @param {Record<string, unknown> | null} properties attributes; functions under `on…` listen
 * @param {...unknown} children nodes, texts, lists of them; null and false are left out
 * @returns {HTMLElement}
 */
export function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) setProperty(element, name, value);
  element.append(...nodes(children));
  return element;
}

/** The children of an element, replaced. */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
  return element;
}

/** A link to a page of the console. */
export function goTo(path, ...children) {
  return h("a", { href: path }, ...children);
}

/** A link to elsewhere; where it leads can be read, because its text may be anybody's. */
export function elsewhere(address, text) {
  if (!WEB.test(address)) return h("span", null, text ?? address);
  const link = h("a", { href: address, rel: "noopener noreferrer", target: "_blank" }, text ?? address);
  const isPlain = !text || text === address;
  return isPlain ? link : h("span", null, link, h("span", { class: "target" }, ` (${address})`));
}

/** When something happened, as people say it; `keepTime` says it anew as time passes. */
export function when(iso) {
  if (!iso) return null;
  return h("time", { datetime: iso, title: absolute(iso) }, relative(iso, serverNow()));
}

/** The same of what is to come, or should have. */
export function upcoming(iso) {
  const isToCome = true;
  return h(
    "time",
    { datetime: iso, title: absolute(iso), "data-to-come": isToCome },
    relative(iso, serverNow(), { isToCome }),
  );
}

export function keepTime(root) {
  for (const element of root.querySelectorAll("time")) {
    const text = relative(element.dateTime, serverNow(), { isToCome: "toCome" in element.dataset });
    if (element.textContent !== text) element.textContent = text;
  }
}

/** A small mark; `tone` is one of good, warn, bad, live, calm. */
export function mark(text, tone = "calm") {
  return h("span", { class: `mark ${tone}` }, text);
}

/** Facts under one another: names on the left, values on the right; those without a value are left out. */
export function facts(pairs) {
  const shown = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== false);
  if (!shown.length) return null;
  return h(
    "dl",
    { class: "facts" },
    shown.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))),
  );
}

/** A titled part of a page. */
export function section(title, ...children) {
  return h("section", null, h("h2", null, title), ...children);
}

/** What is shown where there is nothing. */
export function nothing(...words) {
  return h("p", { class: "nothing" }, ...words);
}

function setProperty(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
  else if (name === "href" && !isSafe(String(value))) return;
  else element.setAttribute(name, value === true ? "" : String(value));
}

function isSafe(address) {
  return OWN_PATH.test(address) || WEB.test(address) || address.startsWith("#");
}

function nodes(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false && child !== "")
    .map((child) => (child instanceof Node ? child : document.createTextNode(visible(plain(child)))));
}

/** What can't be seen is shown as such, so that nothing reads otherwise than it is. */
function visible(text) {
  return text.replace(UNSEEN, "\ufffd");
}
