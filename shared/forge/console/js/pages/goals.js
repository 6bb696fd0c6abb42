/** Goals: what crews are to achieve, those under way first. */

import { pages } from "../api.js";
import { goTo, h, mark, nothing, when } from "../dom.js";
import { showMore } from "../parts.js";
import { paths } from "../routes.js";
import { counted, plainly, toneOf, usd } from "../words.js";

const ORDER = ["ACTIVE", "PLANNING", "OPEN", "ACHIEVED", "ABANDONED"];

export const goalsPage = {
  title: "Goals",
  read: (params, memory) => pages("goals.list", { limit: 50 }, { most: (memory.pages ??= 1) }),
  decide: ({ rows, isCut }) => ({ heading: "Goals", parts: { goals: inOrder(rows), more: isCut || null } }),
  show: {
    goals: (goals) =>
      goals.length
        ? h("ul", { class: "rows" }, goals.map(showGoal))
        : nothing("There are no goals yet. An agent or a script makes one with goals.create."),
    more: showMore,
  },
  ordered: ["goals"],
};

function inOrder(rows) {
  const goals = rows.map((goal) => ({
    id: goal.id,
    path: paths.goal(goal.id),
    title: goal.title,
    status: goal.status,
    plans: goal._count.plans,
    most: goal.maxTotalCostUsd,
    at: goal.updatedAt,
  }));
  return goals.sort(
    (one, other) => ORDER.indexOf(one.status) - ORDER.indexOf(other.status) || other.at.localeCompare(one.at),
  );
}

function showGoal(goal) {
  return h(
    "li",
    { class: `row tone-${toneOf(goal.status)}` },
    h("div", { class: "what" }, goTo(goal.path, goal.title)),
    h(
      "div",
      { class: "about" },
      mark(plainly(goal.status), toneOf(goal.status)),
      h("span", null, counted(goal.plans, "plan")),
      goal.most === null ? null : h("span", null, `at most ${usd(goal.most)}`),
      h("span", null, "changed ", when(goal.at)),
    ),
  );
}
