/** What several agents reach together. */

import { goalPage } from "../pages/goal.js";
import { goalsPage } from "../pages/goals.js";
import { pipelinePage } from "../pages/pipeline.js";
import { paths } from "../routes.js";

/** @type {import("../areas.js").Area} */
export const plans = {
  title: "Plans",
  places: [{ text: "Goals", path: paths.goals, pages: ["goals", "goal"], key: "o" }],
  routes: [
    ["goals", /^\/goals$/, [], goalsPage],
    ["goal", /^\/goals\/([^/]+)$/, ["id"], goalPage],
    ["pipeline", /^\/pipelines\/([^/]+)$/, ["name"], pipelinePage],
  ],
};
