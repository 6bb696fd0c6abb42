/** Starts the console: whoever has no key signs in, and everybody else gets the page that the address names. */

import { render } from "../vendor/preact.js";
import { leave } from "./api.js";
import { AREAS, PLACES, ROUTES } from "./areas.js";
import { Chrome } from "./chrome.js";
import { h } from "./dom.js";
import { forgetDrafts } from "./drafts.js";
import { startKeyboard } from "./keyboard.js";
import { openLater } from "./later.js";
import { notice } from "./notices.js";
import { openPage } from "./opening.js";
import { missingPage } from "./pages/missing.js";
import { showSignIn } from "./pages/signin.js";
import { startPulse } from "./pulse.js";
import { isOurs, paths, routeOf } from "./routes.js";
import { forgetKey, storedKey } from "./session.js";

const root = /** @type {HTMLElement} */ (document.getElementById("console"));
const chrome = Object.assign(document.createElement("div"), { className: "chrome" });
const main = Object.assign(document.createElement("main"), { id: "main" });
const NO_PAGE = { close() {}, refresh() {} };
let current = NO_PAGE;
/** @type {{stop: () => void} | null} */
let pulse = null;
let page = "";
let title = "";
let count = 0;
let isCounted = false;
/** @type {() => void} */
let tellShown = () => {};
/** Until then nothing is read but what the first page needs. @type {Promise<void>} */
const shown = new Promise((tell) => (tellShown = tell));

const app = {
  main,
  places: PLACES,
  navigate,
  signedOut,
  /** Told by a page that can be used, or can't be had. */
  shown: () => tellShown(),
  isSignedIn: () => Boolean(storedKey()) && main.isConnected,
  /** @param {string} path */
  replacePath: (path) => history.replaceState(null, "", path),
  /** @param {number} number */
  waiting(number) {
    notice(number, count);
    count = number;
    isCounted = true;
    surround();
    app.titled(title);
  },
  /** How much waits is told by every page: tabs that are not looked at show no more than their titles. @param {string} text */
  titled(text) {
    title = text;
    document.title = `${count ? `(${count}) ` : ""}${title} · Forge`;
  },
};

/** @param {string} path */
function navigate(path) {
  history.pushState(null, "", path);
  window.scrollTo(0, 0);
  openCurrent({ movesFocus: true });
}

/** @param {{movesFocus: boolean}} how */
function openCurrent({ movesFocus }) {
  current.close();
  if (!storedKey()) return askForKey("");
  pulse ??= startPulse({ waiting: app.waiting, news: () => current.refresh(), isCounted: () => isCounted, shown });
  const route = routeOf(ROUTES, location);
  page = route.name;
  if (!main.isConnected) {
    render(null, root);
    root.replaceChildren(chrome, main);
    root.classList.add("inside");
  }
  surround();
  /** @type {import("./opening.js").Page} */
  const found = route.page ?? missingPage;
  current = (found.later ? openLater : openPage)(found, route.params, app, { movesFocus });
}

function surround() {
  if (main.isConnected) render(h(Chrome, { app, areas: AREAS, page, count, signOut }), chrome);
}

/** @param {string} why */
function askForKey(why) {
  current.close();
  current = NO_PAGE;
  pulse?.stop();
  pulse = null;
  count = 0;
  isCounted = false;
  // Nothing of the last session is left to be seen by the next.
  forgetDrafts();
  render(null, main);
  render(null, chrome);
  if (main.isConnected) root.replaceChildren();
  root.classList.remove("inside");
  showSignIn(root, why, () => openCurrent({ movesFocus: true }));
}

/** @param {string} why */
function signedOut(why) {
  forgetKey();
  askForKey(why);
}

async function signOut() {
  const trouble = await leave();
  forgetKey();
  history.pushState(null, "", paths.inbox);
  askForKey(trouble);
}

/** Links to our own pages open without loading everything anew; with a modifier they are the browser's. @param {MouseEvent} event */
function followLink(event) {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!(link instanceof HTMLAnchorElement) || !isPlain || event.defaultPrevented) return;
  if (link.target || link.origin !== location.origin || !isOurs(link.pathname)) return;
  if (link.hash && link.pathname === location.pathname) return;
  event.preventDefault();
  navigate(link.pathname + link.search);
}

/** What somebody points at is fetched already. @param {Event} event */
function foresee(event) {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (link instanceof HTMLAnchorElement && link.origin === location.origin && isOurs(link.pathname)) routeOf(ROUTES, link).page?.later?.().catch(() => {});
}

startKeyboard(app);
document.addEventListener("click", followLink);
document.addEventListener("pointerover", foresee);
// Whoever is cut off is told at once, and whoever is back sees what happened meanwhile.
for (const name of ["offline", "online"]) window.addEventListener(name, () => current.refresh());
window.addEventListener("popstate", () => openCurrent({ movesFocus: true }));
openCurrent({ movesFocus: false });
