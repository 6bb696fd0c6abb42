/** How it goes: figures of days, and who worked when. */

import { later } from "../later.js";
import { paths } from "../routes.js";

const analyticsPage = later("Analytics", async () => (await import("../pages/analytics.js")).analyticsPage);
const dayPage = later("Day", async () => (await import("../pages/day.js")).dayPage);

/** @type {import("../areas.js").Area} */
export const figures = {
  title: "Insight",
  places: [
    { text: "Analytics", path: paths.analytics, pages: ["analytics"], key: "y" },
    { text: "Day", path: paths.day, pages: ["day"], key: "d" },
  ],
  routes: [
    ["analytics", /^\/analytics$/, [], analyticsPage],
    ["day", /^\/day$/, [], dayPage],
  ],
};
