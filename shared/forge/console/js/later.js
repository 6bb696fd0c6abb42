/** Pages that are loaded when somebody first opens them: what few look at is no reason for everybody to wait. */

import { Refused, call } from "./api.js";
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
 * Opens a page once it is there. Until then nothing of the last one is left to be pressed; one that can't be had says so,
 * and is asked for again.
 * @param {Page} page @param {Record<string, string>} params @param {any} app @param {{movesFocus: boolean}} how
 */
export function openLater(page, params, app, how) {
  let isClosed = false;
  const replace = (/** @type {Page} */ found) => {
    if (!isClosed) {
      opened.close();
      opened = openPage(found, params, app, how);
    }
    // What waited for it has nothing to show.
    return new Promise(() => {});
  };
  let tries = 0;
  const read = async () => {
    tries += 1;
    // Browsers ask once for a file: once the server can be reached again, everything is asked for anew.
    if (tries > 1) await call("workspace.get").then(() => location.reload());
    return (await page.later?.().then(replace, notRead)) ?? notRead();
  };
  const waiting = { ...page, later: undefined, read };
  let opened = openPage(waiting, params, app, how);
  return {
    close() {
      isClosed = true;
      opened.close();
    },
    refresh: async () => opened.refresh(),
  };
}
