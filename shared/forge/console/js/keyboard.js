/** Keys for whoever would rather not reach for the mouse; none of them does anything where somebody types. */

import { openAbove } from "./above.js";
import { h } from "./dom.js";
import { openPalette } from "./palette.js";

const ROWS = "main .row .what a, main .card .what a";
/** So long after `g` its second key is waited for. */
const SECOND_KEY_MS = 1_500;

/** @param {any} app */
export function startKeyboard(app) {
  const goes = Object.fromEntries(app.places.map((/** @type {any} */ place) => [place.key, place.path]));
  let goesUntil = 0;
  document.addEventListener("keydown", (event) => {
    if (!app.isSignedIn() || event.defaultPrevented || event.isComposing) return;
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey;
    if (isCommand && event.key.toLowerCase() === "k") return done(event, () => openPalette(app));
    if (isCommand && event.key === "Enter") return send(event);
    if (isCommand || event.altKey || isTyping(event.target) || document.querySelector("dialog[open]")) return;
    const path = event.timeStamp < goesUntil ? goes[event.key] : undefined;
    goesUntil = 0;
    if (path) return done(event, () => app.navigate(path));
    if (event.key === "g") goesUntil = event.timeStamp + SECOND_KEY_MS;
    if (event.key === "j") done(event, () => step(1));
    if (event.key === "k") done(event, () => step(-1));
    if (event.key === "/") done(event, () => search(app));
    if (event.key === "?") done(event, () => showHelp(app));
    const button = offered(app, event.key);
    if (button) done(event, () => button.click());
  });
}

/** @param {Event} event @param {() => void} act */
function done(event, act) {
  event.preventDefault();
  act();
}

/** @param {EventTarget | null} element */
function isTyping(element) {
  return element instanceof Element && element.matches("input, textarea, select");
}

/** What the first button below the words does; where there are no words, nothing. @param {KeyboardEvent} event */
function send(event) {
  const place = event.target instanceof Element && event.target.matches("textarea") && event.target.closest(".decision, dialog form");
  if (!place) return;
  const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (place.querySelectorAll(".buttons:last-of-type button"));
  const button = [...buttons].find((one) => !one.disabled);
  if (button) done(event, () => button.click());
}

/** A button of the page that names the key. @param {any} app @param {string} key @returns {HTMLButtonElement | null} */
function offered(app, key) {
  return /^[a-z]$/.test(key) ? app.main.querySelector(`button[data-key="${key}"]:not(:disabled)`) : null;
}

/** @param {number} by */
function step(by) {
  const rows = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(ROWS)]).filter((row) => row.checkVisibility());
  const at = rows.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by;
  rows[next]?.focus();
}

function search(/** @type {any} */ app) {
  const field = app.main.querySelector('input[type="search"]');
  if (!field) return openPalette(app);
  field.focus();
  field.select();
}

function showHelp(/** @type {any} */ app) {
  const places = app.places.filter((/** @type {any} */ place) => place.key);
  const help = [
    ["Ctrl K", "Find anything by its name"],
    ["/", "Search this page, or everything"],
    ["j, k", "The next and the previous row"],
    ...places.map((/** @type {any} */ place) => [`g ${place.key}`, place.text]),
    ["r", "Answer the row that you are at"],
    ["x", "Choose the row, to decide several at once"],
    ["c", "A new issue, on the board"],
    ["e", "Edit the issue that is open"],
    ["Shift ← →", "Move the card to the column beside it"],
    ["Ctrl Enter", "Send what you type, with the first button below it"],
    ["?", "This list"],
  ];
  openAbove({ label: "Keys", tone: "keys" }, () => [
    h("h2", null, "Keys"),
    h("dl", { class: "facts" }, help.map(([keys, what]) => h("div", null, h("dt", null, h("kbd", null, keys)), h("dd", null, what)))),
    h("form", { method: "dialog" }, h("button", null, "Close")),
  ]);
}
