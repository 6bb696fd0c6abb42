/** Issues, and where they are worked on. */

import { boardPage } from "../pages/board.js";
import { issuePage } from "../pages/issue.js";
import { pullPage } from "../pages/pull.js";
import { paths } from "../routes.js";

/** @type {import("../areas.js").Area} */
export const work = {
  title: "Work",
  places: [{ text: "Board", path: paths.board, pages: ["board", "issue", "pull"], key: "b" }],
  routes: [
    ["issue", /^\/issues\/([^/]+)$/, ["id"], issuePage],
    ["pull", /^\/repositories\/([^/]+)\/([^/]+)\/pulls\/(\d{1,9})$/, ["owner", "name", "number"], pullPage],
    ["board", /^\/board$/, [], boardPage],
  ],
};
