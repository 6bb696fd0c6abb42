/** What the board shows, decided from the server's answers alone. */

import { holderOf } from "./issue_view.js";
import { paths } from "./routes.js";
import { counted } from "./words.js";

export const OPEN = ["BACKLOG", "TODO", "IN_PROGRESS", "IN_REVIEW"];
const OVER = ["DONE", "CANCELED"];
export const FIELDS = [
  ...["id", "identifier", "title", "statusId", "priority", "project", "assignedAgent", "queued", "claimedById"],
  ...["claimedByAgentId", "claimExpiresAt", "openBlockers", "updatedAt", "labels", "dueDate", "cycleId"],
];
const FILTERS = ["q", "project", "label", "agent", "cycle", "priority", "over"];
/** As the address says it: nobody, or none. */
const NONE = "none";

/** @param {string} search @returns {Record<string, string>} */
export function filtersOf(search) {
  const asked = new URLSearchParams(search);
  return Object.fromEntries(FILTERS.map((name) => [name, (asked.get(name) ?? "").trim()]));
}

/** What `issues.list` is asked for. @param {Record<string, string>} filters @returns {Record<string, any>} */
export function askedFor({ q, project, label, agent, cycle, priority }) {
  return {
    query: q || undefined,
    projectId: project || undefined,
    labelIds: label ? [label] : undefined,
    assignedAgentId: agent && agent !== NONE ? agent : undefined,
    unassigned: agent === NONE || undefined,
    cycleId: cycle && cycle !== NONE ? cycle : undefined,
    withoutCycle: cycle === NONE || undefined,
    priority: priority || undefined,
  };
}

/** The statuses that are shown; words are looked for in all of them. @param {{category: string}[]} statuses @param {Record<string, string>} filters */
export function columnsFor(statuses, { q, over }) {
  const wanted = q ? [...OPEN, ...OVER] : over ? OVER : OPEN;
  return statuses.filter(({ category }) => wanted.includes(category));
}

/** @param {any} answers @returns {import("./opening.js").View} */
export function boardView({ filters, terms, agents, named, said, names, columns, runs, may, written }) {
  const working = new Map(runs.map((/** @type {any} */ run) => [run.issue?.id, run]));
  const cycles = new Map(terms.cycles.map((/** @type {any} */ one) => [one.id, one.name]));
  const shown = filters.q ? columns.filter(({ rows, isCut }) => rows.length || isCut) : columns;
  const card = (/** @type {any} */ issue) => cardOf(issue, { names, cycles, run: working.get(issue.id) });
  const people = agents.map(({ id, profileKey }) => ({ id, name: `@${profileKey}` }));
  return {
    heading: "Board",
    parts: {
      filters: { filters, terms, people, may },
      count: countOf(columns, filters, said),
      written: written ?? null,
      said: said?.rows.length ? said.rows : null,
      named: named ? { ...card(named), moves: null } : null,
      columns: {
        may,
        statuses: terms.statuses,
        columns: shown.map(({ status, rows, isCut, total }) => ({
          status: status.id,
          name: status.name,
          category: status.category,
          count: total ?? rows.length,
          isCut: isCut || (total ?? 0) > rows.length,
          isCounted: total !== null || !isCut,
          rows: rows.map(card),
        })),
      },
    },
  };
}

/** How many there are, and of a search where it looked: what it does not find may still be there. */
function countOf(columns, { q }, comments) {
  const number = columns.reduce((sum, { rows, total }) => sum + (total ?? rows.length), 0);
  const isCut = columns.some(({ isCut, total }) => isCut && total === null);
  const told = `${counted(number, "issue")}${isCut ? ", and there are more" : ""}`;
  const fields = columns.find(({ coverage }) => coverage)?.coverage.fields;
  if (!q || !fields) return told;
  return `${told}, open and closed. Looked for whole words in ${fields.join(" and ")}, and in how the last ${counted(comments?.of ?? 0, "comment")} began.`;
}

function cardOf(issue, { names, cycles, run }) {
  const holder = holderOf(issue, names);
  const assigned = issue.assignedAgent ? `@${issue.assignedAgent.profileKey}` : "";
  return {
    id: issue.id,
    identifier: issue.identifier,
    path: paths.issue(issue.identifier),
    title: issue.title,
    status: issue.statusId,
    priority: issue.priority,
    project: issue.project?.name ?? "",
    cycle: cycles.get(issue.cycleId) ?? "",
    labels: (issue.labels ?? []).map(({ name }) => name),
    dueDate: issue.dueDate ?? null,
    who: run?.agent ? `@${run.agent.profileKey}` : (holder?.name ?? assigned),
    since: run?.startedAt ?? null,
    isWaiting: run?.status === "WAITING",
    isHeld: Boolean(holder || run),
    isQueued: issue.queued && !holder,
    blockers: issue.openBlockers ?? 0,
    at: issue.updatedAt,
  };
}

/** The column beside a card's, to the left (-1) or right (1). @param {any[]} columns @param {string} status @param {number} by */
export function beside(columns, status, by) {
  const at = columns.findIndex((one) => one.status === status);
  return at < 0 ? null : (columns[at + by] ?? null);
}
