/** Issues as rows of a list, and how far all of them are. */

import { Chart } from "./charts.js";
import { goTo, h, mark, nothing, upcoming } from "./dom.js";
import { paths } from "./routes.js";
import { plainly, toneOf } from "./words.js";

export const ROW_FIELDS = [
  ...["id", "identifier", "title", "status", "priority", "assignedAgent", "dueDate", "createdAt", "updatedAt", "completedAt"],
];

/** @param {any} issue */
export function issueRow(issue) {
  return {
    id: issue.id,
    identifier: issue.identifier,
    path: paths.issue(issue.identifier),
    title: issue.title,
    status: issue.status.name,
    category: issue.status.category,
    priority: issue.priority,
    who: issue.assignedAgent ? `@${issue.assignedAgent.profileKey}` : "",
    dueDate: issue.dueDate,
  };
}

/** As `burnUp` reads it. @param {any} issue */
export function spanOf({ createdAt, completedAt, updatedAt, status }) {
  return { createdAt, completedAt, updatedAt, isDone: status.category === "DONE" };
}

/** What is over comes last, and else in the order that there is. @param {any[]} rows */
export function openFirst(rows) {
  return rows.toSorted((one, other) => Number(isOver(one)) - Number(isOver(other)));
}

function isOver({ category }) {
  return ["DONE", "CANCELED"].includes(category);
}

/** @param {any[]} rows @param {{more?: (row: any) => any, empty?: string}} [how] `more` stands at the end of each */
export function showIssueRows(rows, { more = () => null, empty = "No issues yet." } = {}) {
  if (!rows.length) return nothing(empty);
  return h("ul", { class: "rows tight" }, rows.map((row) => rowOf(row, more)));
}

function rowOf(row, more) {
  return h(
    "li",
    { key: row.id, class: "row" },
    h("span", { class: "identifier" }, row.identifier),
    h("div", { class: isOver(row) ? "what over" : "what" }, goTo(row.path, row.title)),
    h(
      "div",
      { class: "about" },
      ["URGENT", "HIGH"].includes(row.priority) ? mark(plainly(row.priority), toneOf(row.priority)) : null,
      mark(row.status, toneOf(row.category)),
      row.who ? h("span", null, row.who) : null,
      row.dueDate && !isOver(row) ? h("span", null, "due ", upcoming(row.dueDate)) : null,
      more(row),
    ),
  );
}

/** @param {{total: number, done: number, live: number, share: number | null}} progress */
export function showProgress({ total, done, live, share }) {
  if (share === null) return null;
  return h(
    "div",
    { class: "progress" },
    h("progress", { max: "1", value: String(share), "aria-label": "Issues done" }),
    h("p", { class: "hint" }, `${done} of ${total} done, ${live} under way`),
  );
}

/** @param {{days: string[], scope: (number | null)[], done: (number | null)[]}} burn */
export function showBurnUp({ days, scope, done }) {
  const lines = [
    { label: "Issues", values: scope, tone: "faint" },
    { label: "Done", values: done, tone: "good", isFilled: true },
  ];
  return h(Chart, { title: "Burn-up", days, lines });
}
