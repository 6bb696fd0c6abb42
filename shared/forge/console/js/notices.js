/** Notifications of the browser, for whoever asked for them and looks elsewhere. */

import { counted } from "./words.js";

export function mayAskForNotices() {
  return "Notification" in window && Notification.permission === "default";
}

/** @param {number} now how much waits @param {number} before */
export function notice(now, before) {
  if (now <= before || !document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
  // One notice that is replaced: ten questions are no ten interruptions.
  const shown = new Notification(`Forge: ${counted(now, "thing waits", "things wait")} for you`, { tag: "forge" });
  shown.addEventListener("click", () => {
    window.focus();
    shown.close();
  });
}
