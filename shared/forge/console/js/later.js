/** Pages that are loaded when somebody first opens them: what few look at is no reason for everybody to wait. */

import { Refused } from "./api.js";
import { openPage } from "./opening.js";

/** @typedef {import("./opening.js").Page} Page */

/** @param {string} title @param {() => Promise<Page>} load @returns {Page} */
export function later(title, load) {
  return { title, later: load, read: notRead, decide: () => ({ heading: title, parts: {} }), show: {} };
}

async function notRead() {
  throw new Refused(0, { message: "This page can't be loaded just now." });
}

/**
 * Opens a page once it is there; one that can't be had says so, and is asked for again when somebody wants it.
 * @param {Page} page @param {Record<string, string>} params @param {any} app @param {{movesFocus: boolean}} how
 */
export function openLater(page, params, app, how) {
  let isClosed = false;
  /** @type {{close: () => void, refresh: () => Promise<void>} | null} */
  let opened = null;
  const open = (/** @type {Page} */ found) => {
    if (!isClosed) opened = openPage(found, params, app, how);
  };
  app.titled(page.title);
  page.later?.().then(open, () => open({ ...page, later: undefined }));
  return {
    close() {
      isClosed = true;
      opened?.close();
    },
    refresh: async () => opened?.refresh(),
  };
}
