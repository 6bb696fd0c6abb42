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
  dialog.addEventListener("close", () => {
    render(null, dialog);
    dialog.remove();
  });
  document.body.append(dialog);
  render(h(show, { close: () => dialog.close() }), dialog);
  dialog.showModal();
  // A dialog takes the first thing that can be pressed; where one types is better.
  /** @type {HTMLElement | null} */ (dialog.querySelector("[data-first]"))?.focus();
}
