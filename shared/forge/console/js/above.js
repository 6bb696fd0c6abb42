/** What opens above a page, one at a time: a dialog that closes with Escape and leaves nothing behind. */

import { render } from "../vendor/preact.js";
import { h } from "./dom.js";

/**
 * @param {{label: string, tone: string}} about its name for those who listen, and its style
 * @param {(given: {close: () => void}) => any} show a component
 */
export function openAbove({ label, tone }, show) {
  if (document.querySelector("dialog[open]")) return;
  const dialog = document.createElement("dialog");
  dialog.className = tone;
  dialog.setAttribute("aria-label", label);
  const place = document.createElement("div");
  const warning = Object.assign(document.createElement("p"), { className: "hint", role: "status" });
  dialog.append(place, warning);
  dialog.addEventListener("cancel", (event) => {
    if (warning.textContent || !hasWords(dialog)) return;
    event.preventDefault();
    warning.textContent = "Escape once more throws away what you typed.";
  });
  dialog.addEventListener("close", () => {
    render(null, place);
    dialog.remove();
  });
  document.body.append(dialog);
  render(h(show, { close: () => dialog.close() }), place);
  dialog.showModal();
  // A dialog takes the first thing that can be pressed; where one types is better.
  /** @type {HTMLElement | null} */ (dialog.querySelector("[data-first]"))?.focus();
}

/** Whether something was typed that nobody has yet. @param {HTMLElement} dialog */
function hasWords(dialog) {
  const fields = /** @type {NodeListOf<HTMLTextAreaElement>} */ (dialog.querySelectorAll("textarea, form input[type=text]"));
  return [...fields].some((field) => field.value.trim() && field.value !== field.defaultValue);
}
