/** Who works here. */

import { agentsPage } from "../pages/agents.js";
import { chatPage } from "../pages/chat.js";
import { paths } from "../routes.js";

/** @type {import("../areas.js").Area} */
export const agents = {
  title: "Team",
  places: [{ text: "Agents", path: paths.agents, pages: ["agents", "chat"], key: "a" }],
  routes: [
    ["agents", /^\/agents$/, [], agentsPage],
    ["chat", /^\/chat\/([^/]+)$/, ["agent"], chatPage],
  ],
};
