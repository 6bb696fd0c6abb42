/** Keys for whoever would rather not reach for the mouse; none of them does anything where somebody types. */

import { h } from "./dom.js";
import { openPalette } from "./palette.js";
import { paths } from "./routes.js";

const ROWS = "main .row .what a, main .card .what a";
const GOES = { n: paths.inbox, b: paths.board, o: paths.goals, a: paths.agents };
/** So long after `g` its second key is waited for. */
const SECOND_KEY_MS = 1_500;
const HELP = [
  ["Ctrl K", "Find a page, an issue, a goal or an agent"],
  ["/", "Search this page, or everything"],
  ["j, k", "The next and the previous row"],
  ["g, then n b o a", "Needs you, Board, gOals, Agents"],
  ["Ctrl Enter", "Send what you type, with the first button below it"],
  ["?", "This list"],
];

/** @param {{main: HTMLElement, navigate: (path: string) => void, isSignedIn: () => boolean}} app */
export function startKeyboard(app) {
  let goesUntil = 0;
  document.addEventListener("keydown", (event) => {
    if (!app.isSignedIn() || event.defaultPrevented || event.isComposing) return;
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey;
    if (isCommand && event.key.toLowerCase() === "k") return done(event, () => openPalette(app));
    if (isCommand && event.key === "Enter") return send(event);
    if (isCommand || event.altKey || isTyping(event.target) || document.querySelector("dialog[open]")) return;
    const goes = event.timeStamp < goesUntil ? GOES[event.key] : undefined;
    goesUntil = 0;
    if (goes) return done(event, () => app.navigate(goes));
    if (event.key === "g") goesUntil = event.timeStamp + SECOND_KEY_MS;
    if (event.key === "j") done(event, () => step(1));
    if (event.key === "k") done(event, () => step(-1));
    if (event.key === "/") done(event, () => search(app));
    if (event.key === "?") done(event, showHelp);
  });
}

function done(event, act) {
  event.preventDefault();
  act();
}

function isTyping(element) {
  return element instanceof Element && element.matches("input, textarea, select");
}

/** What the first button below the words does; where there are no words, nothing. */
function send(event) {
  const place = event.target instanceof Element && event.target.matches("textarea") && event.target.closest(".decision");
  const button = place && [...place.querySelectorAll(".buttons:last-of-type button")].find((one) => !one.disabled);
  if (button) done(event, () => button.click());
}

function step(by) {
  const rows = [...document.querySelectorAll(ROWS)].filter((row) => row.checkVisibility());
  const at = rows.indexOf(document.activeElement);
  const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by;
  rows[next]?.focus();
}

function search(app) {
  const field = app.main.querySelector('input[type="search"]');
  if (!field) return openPalette(app);
  field.focus();
  field.select();
}

function showHelp() {
  const dialog = h(
    "dialog",
    { class: "keys", "aria-label": "Keys" },
    h("h2", null, "Keys"),
    h("dl", { class: "facts" }, HELP.map(([keys, what]) => h("div", null, h("dt", null, keys), h("dd", null, what)))),
    h("form", { method: "dialog" }, h("button", null, "Close")),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
