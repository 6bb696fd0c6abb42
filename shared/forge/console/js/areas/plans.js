/** What several agents reach together. */

import { later } from "../later.js";
import { paths } from "../routes.js";

const goalsPage = later("Goals", async () => (await import("../pages/goals.js")).goalsPage);
const goalPage = later("Goal", async () => (await import("../pages/goal.js")).goalPage);
const pipelinesPage = later("Pipelines", async () => (await import("../pages/pipelines.js")).pipelinesPage);
const pipelinePage = later("Pipeline", async () => (await import("../pages/pipeline.js")).pipelinePage);

/** @type {import("../areas.js").Area} */
export const plans = {
  title: "Plans",
  places: [
    { text: "Goals", path: paths.goals, pages: ["goals", "goal"], key: "o" },
    { text: "Pipelines", path: paths.pipelines, pages: ["pipelines", "pipeline"], key: "p" },
  ],
  routes: [
    ["goals", /^\/goals$/, [], goalsPage],
    ["goal", /^\/goals\/([^/]+)$/, ["id"], goalPage],
    ["pipelines", /^\/pipelines$/, [], pipelinesPage],
    ["pipeline", /^\/pipelines\/([^/]+)$/, ["name"], pipelinePage],
  ],
};
