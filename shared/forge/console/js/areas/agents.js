/** Who works here. */

import { later } from "../later.js";
import { paths } from "../routes.js";

const agentsPage = later("Agents", async () => (await import("../pages/agents.js")).agentsPage);
const chatPage = later("Chat", async () => (await import("../pages/chat.js")).chatPage);

/** @type {import("../areas.js").Area} */
export const agents = {
  title: "Team",
  places: [{ text: "Agents", path: paths.agents, pages: ["agents", "chat"], key: "a" }],
  routes: [
    ["agents", /^\/agents$/, [], agentsPage],
    ["chat", /^\/chat\/([^/]+)$/, ["agent"], chatPage],
  ],
};
