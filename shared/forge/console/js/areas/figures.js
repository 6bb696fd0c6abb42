/** How it goes: figures of days, and who worked when. */

import { analyticsPage } from "../pages/analytics.js";
import { dayPage } from "../pages/day.js";
import { paths } from "../routes.js";

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
