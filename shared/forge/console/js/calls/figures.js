/** Tools about what things cost and how work flows. */

export const FIGURES = {
  "analytics.cost": ["since", "by"],
  "analytics.flow": ["since"]
};
