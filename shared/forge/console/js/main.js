/** Starts the console: whoever has no key signs in, and everybody else gets the page that the address names. */

import { Refused, call } from "./api.js";
import { fill, h } from "./dom.js";
import { startKeyboard } from "./keyboard.js";
import { notice } from "./notices.js";
import { openPage } from "./opening.js";
import { openPalette } from "./palette.js";
import { agentsPage } from "./pages/agents.js";
import { boardPage } from "./pages/board.js";
import { gatePage } from "./pages/gate.js";
import { goalPage } from "./pages/goal.js";
import { goalsPage } from "./pages/goals.js";
import { inboxPage } from "./pages/inbox.js";
import { issuePage } from "./pages/issue.js";
import { missingPage } from "./pages/missing.js";
import { pipelinePage } from "./pages/pipeline.js";
import { pullPage } from "./pages/pull.js";
import { requestPage } from "./pages/request.js";
import { runPage } from "./pages/run.js";
import { showSignIn } from "./pages/signin.js";
import { startPulse } from "./pulse.js";
import { isOurs, paths, routeOf } from "./routes.js";
import { forgetKey, storedKey } from "./session.js";

const PAGES = {
  inbox: inboxPage,
  request: requestPage,
  gate: gatePage,
  run: runPage,
  issue: issuePage,
  pipeline: pipelinePage,
  pull: pullPage,
  board: boardPage,
  goals: goalsPage,
  goal: goalPage,
  agents: agentsPage,
  missing: missingPage,
};

const NAV = [
  ["Needs you", paths.inbox, ["inbox", "request", "gate", "run"]],
  ["Board", paths.board, ["board", "issue", "pull"]],
  ["Goals", paths.goals, ["goals", "goal"]],
  ["Agents", paths.agents, ["agents"]],
];

const root = document.getElementById("console");
const NO_PAGE = { close() {}, refresh() {} };
let current = NO_PAGE;
let pulse = null;
let title = "";
let count = 0;

const app = {
  main: h("main", { id: "main" }),
  badge: h("span", { class: "badge", hidden: true }),
  navigate,
  signedOut,
  isSignedIn: () => Boolean(storedKey()) && app.main.isConnected,
  replacePath: (path) => history.replaceState(null, "", path),
  waiting(number) {
    notice(number, count);
    count = number;
    app.badge.hidden = count === 0;
    fill(app.badge, String(count));
    app.titled(title);
  },
  /** How much waits is told by every page: tabs that are not looked at show no more than their titles. */
  titled(text) {
    title = text;
    document.title = `${count ? `(${count}) ` : ""}${title} · Forge`;
  },
};

function navigate(path) {
  history.pushState(null, "", path);
  window.scrollTo(0, 0);
  openCurrent({ movesFocus: true });
}

function openCurrent({ movesFocus }) {
  current.close();
  if (!storedKey()) return askForKey("");
  pulse ??= startPulse({ waiting: app.waiting, news: () => current.refresh() });
  const { page, params } = routeOf(location);
  if (!app.main.isConnected) fill(root, header(), app.main);
  for (const link of root.querySelectorAll("nav a")) {
    const isHere = link.dataset.pages.split(" ").includes(page);
    link.toggleAttribute("aria-current", isHere);
    if (isHere) link.setAttribute("aria-current", "page");
  }
  current = openPage(PAGES[page], params, app, { movesFocus });
}

function header() {
  const workspace = h("span", { class: "workspace" });
  tellWorkspace(workspace);
  const links = NAV.map(([name, path, pages]) =>
    h("a", { href: path, "data-pages": pages.join(" ") }, name, path === paths.inbox ? app.badge : null),
  );
  return h(
    "header",
    { class: "bar" },
    h("a", { class: "brand", href: paths.inbox }, "Forge", workspace),
    h("nav", { "aria-label": "Console" }, links),
    h(
      "button",
      { type: "button", class: "quiet find", "aria-keyshortcuts": "Control+K", onclick: () => openPalette(app) },
      "Find",
    ),
    h("button", { type: "button", class: "quiet", onclick: signOut }, "Sign out"),
  );
}

/** Where one is. */
async function tellWorkspace(element) {
  try {
    fill(element, (await call("workspace.get")).name);
  } catch (refusal) {
    // The page itself says what is wrong; a name is no reason to.
    if (!(refusal instanceof Refused)) throw refusal;
  }
}

function askForKey(why) {
  current.close();
  current = NO_PAGE;
  pulse?.stop();
  pulse = null;
  count = 0;
  app.main.remove();
  showSignIn(root, why, () => openCurrent({ movesFocus: true }));
}

function signedOut(why) {
  forgetKey();
  askForKey(why);
}

function signOut() {
  forgetKey();
  history.pushState(null, "", paths.inbox);
  askForKey("");
}

/** Links to our own pages open without loading everything anew; with a modifier they are the browser's. */
function followLink(event) {
  const link = event.target.closest?.("a[href]");
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !isPlain || link.target || link.origin !== location.origin || !isOurs(link.pathname)) return;
  if (link.hash && link.pathname === location.pathname) return;
  event.preventDefault();
  navigate(link.pathname + link.search);
}

startKeyboard(app);
document.addEventListener("click", followLink);
window.addEventListener("popstate", () => openCurrent({ movesFocus: true }));
openCurrent({ movesFocus: false });
