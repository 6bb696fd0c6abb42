/** Issues, and where they are worked on. */

import { later } from "../later.js";
import { paths } from "../routes.js";

const boardPage = later("Board", async () => (await import("../pages/board.js")).boardPage);
const cyclePage = later("Cycle", async () => (await import("../pages/cycle.js")).cyclePage);
const cyclesPage = later("Cycles", async () => (await import("../pages/cycles.js")).cyclesPage);
const initiativePage = later("Initiative", async () => (await import("../pages/initiative.js")).initiativePage);
const initiativesPage = later("Initiatives", async () => (await import("../pages/initiatives.js")).initiativesPage);
const issuePage = later("Issue", async () => (await import("../pages/issue.js")).issuePage);
const pullPage = later("Pull request", async () => (await import("../pages/pull.js")).pullPage);

/** @type {import("../areas.js").Area} */
export const work = {
  title: "Work",
  places: [
    { text: "Board", path: paths.board, pages: ["board", "issue", "pull"], key: "b" },
    { text: "Cycles", path: paths.cycles, pages: ["cycles", "cycle"], key: "c" },
    { text: "Initiatives", path: paths.initiatives, pages: ["initiatives", "initiative"], key: "i" },
  ],
  routes: [
    ["issue", /^\/issues\/([^/]+)$/, ["id"], issuePage],
    ["pull", /^\/repositories\/([^/]+)\/([^/]+)\/pulls\/(\d{1,9})$/, ["owner", "name", "number"], pullPage],
    ["board", /^\/board$/, [], boardPage],
    ["cycles", /^\/cycles$/, [], cyclesPage],
    ["cycle", /^\/cycles\/([^/]+)$/, ["id"], cyclePage],
    ["initiatives", /^\/initiatives$/, [], initiativesPage],
    ["initiative", /^\/initiatives\/([^/]+)$/, ["id"], initiativePage],
  ],
};
