/** What waits for a person. */

import { later } from "../later.js";
import { inboxPage } from "../pages/inbox.js";
import { paths } from "../routes.js";

const requestPage = later("Request", async () => (await import("../pages/request.js")).requestPage);
const gatePage = later("Gate", async () => (await import("../pages/gate.js")).gatePage);
const runPage = later("Run", async () => (await import("../pages/run.js")).runPage);

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
