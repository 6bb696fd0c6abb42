/** Issues, and where they are worked on. */

import { boardPage } from "../pages/board.js";
import { cyclePage } from "../pages/cycle.js";
import { cyclesPage } from "../pages/cycles.js";
import { initiativePage } from "../pages/initiative.js";
import { initiativesPage } from "../pages/initiatives.js";
import { issuePage } from "../pages/issue.js";
import { pullPage } from "../pages/pull.js";
import { paths } from "../routes.js";

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
