/** What waits for a person. */

import { gatePage } from "../pages/gate.js";
import { inboxPage } from "../pages/inbox.js";
import { requestPage } from "../pages/request.js";
import { runPage } from "../pages/run.js";
import { paths } from "../routes.js";

/** @type {import("../areas.js").Area} */
export const needs = {
  title: "",
  places: [
    { text: "Needs you", path: paths.inbox, pages: ["inbox", "request", "gate", "run"], key: "n", counts: true },
  ],
  routes: [
    ["inbox", /^\/?$/, [], inboxPage],
    ["request", /^\/requests\/([^/]+)$/, ["id"], requestPage],
    ["gate", /^\/gates\/([^/]+)$/, ["id"], gatePage],
    ["run", /^\/runs\/([^/]+)$/, ["id"], runPage],
  ],
};
