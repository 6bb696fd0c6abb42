/** The board: issues by their status, to look at. Filters stand in the address, so that a view can be shared. */

import { call, orNothing, pages } from "../api.js";
import { goTo, h, mark, nothing, when } from "../dom.js";
import { holderOf } from "../issue_view.js";
import { agentNames } from "../names.js";
import { at, paths } from "../routes.js";
import { counted, plainly, toneOf } from "../words.js";

const OPEN = ["BACKLOG", "TODO", "IN_PROGRESS", "IN_REVIEW"];
const OVER = ["DONE", "CANCELED"];
const FIELDS = [
  ...["id", "identifier", "title", "statusId", "priority", "project", "assignedAgent", "queued", "claimedById"],
  ...["claimedByAgentId", "claimExpiresAt", "openBlockers", "updatedAt"],
];
const PAGE = 50;
/** A filter may leave out most of what a call reads: so many calls fill a column at most. */
const MOST_CALLS = 5;
const IDENTIFIER = /^[a-z][a-z0-9]*-\d{1,9}$/i;

export const boardPage = {
  title: "Board",
  read: readBoard,
  decide: boardView,
  show: {
    filters: showFilters,
    count: (text) => h("p", { class: "hint" }, text),
    named: (card) => h("section", { class: "named", "aria-label": "By its identifier" }, h("ul", null, showCard(card))),
    columns: showColumns,
  },
  ordered: ["columns"],
};

function filtersOf(search) {
  const asked = new URLSearchParams(search);
  const text = (asked.get("q") ?? "").trim();
  return { project: asked.get("project") ?? "", text, isOver: asked.has("over") };
}

/** Each column by itself, so that none is empty because another is full. Words are looked for in all of them. */
async function readBoard(params, memory) {
  const filters = filtersOf(location.search);
  memory.shown ??= {};
  memory.fixed ??= Promise.all([call("statuses.list"), orNothing(call("projects.list", { limit: 100 }), { data: [] })]);
  const [statuses, projects] = await memory.fixed;
  const wanted = filters.text ? [...OPEN, ...OVER] : filters.isOver ? OVER : OPEN;
  const shown = statuses.data.filter((status) => wanted.includes(status.category));
  const [named, names, ...columns] = await Promise.all([
    IDENTIFIER.test(filters.text) ? orNothing(call("issues.get", { id: filters.text }), null) : null,
    agentNames(),
    ...shown.map((status) => readColumn(status, filters, memory)),
  ]);
  return { filters, projects: projects.data, named, names, columns };
}

async function readColumn(status, filters, memory) {
  const asked = {
    limit: PAGE,
    fields: FIELDS,
    statusId: status.id,
    projectId: filters.project || undefined,
    query: filters.text || undefined,
  };
  const pagesShown = memory.shown[status.id] ?? 1;
  const found = await pages("issues.list", asked, { most: pagesShown + MOST_CALLS - 1, enough: pagesShown * PAGE });
  return { status, ...found };
}

function boardView({ filters, projects, named, names, columns }) {
  const shown = filters.text ? columns.filter(({ rows, isCut }) => rows.length || isCut) : columns;
  return {
    heading: "Board",
    parts: {
      filters: { ...filters, projects: projects.map(({ id, name }) => ({ id, name })) },
      count: countOf(columns, filters),
      named: named ? cardOf(named, names) : null,
      columns: shown.map(({ status, rows, isCut, total }) => ({
        status: status.id,
        name: status.name,
        category: status.category,
        count: total ?? rows.length,
        isCut: isCut || (total ?? 0) > rows.length,
        isCounted: total !== null || !isCut,
        rows: rows.map((issue) => cardOf(issue, names)),
      })),
    },
  };
}

/** How many there are, and of a search where it looked: what it does not find may still be there. */
function countOf(columns, { text }) {
  const number = columns.reduce((sum, { rows, total }) => sum + (total ?? rows.length), 0);
  const isCut = columns.some(({ isCut, total }) => isCut && total === null);
  const said = `${counted(number, "issue")}${isCut ? ", and there are more" : ""}`;
  const fields = columns.find(({ coverage }) => coverage)?.coverage.fields;
  if (!text || !fields) return said;
  return `${said}, open and closed. Looked for whole words in ${fields.join(" and ")}, not in comments.`;
}

function cardOf(issue, names) {
  const holder = holderOf(issue, names);
  return {
    id: issue.id,
    identifier: issue.identifier,
    path: paths.issue(issue.identifier),
    title: issue.title,
    priority: issue.priority,
    who: holder?.name ?? (issue.assignedAgent ? `@${issue.assignedAgent.profileKey}` : ""),
    isHeld: Boolean(holder),
    isQueued: issue.queued && !holder,
    blockers: issue.openBlockers ?? 0,
    at: issue.updatedAt,
  };
}

function showFilters({ project, text, isOver, projects }, context) {
  const look = (event) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const said = (/** @type {string} */ name) => String(given.get(name) ?? "").trim();
    context.app.replacePath(at("/board", { project: said("project"), q: said("q"), over: said("over") && "1" }));
    context.memory.shown = {};
    context.reload();
  };
  const words = { id: "text", name: "q", type: "search", placeholder: "Words, or DEMO-12", "data-draft": "text" };
  return h(
    "form",
    { class: "filters", role: "search", onsubmit: look, onchange: look },
    h("div", null, h("label", { for: "text" }, "Text"), h("input", { ...words, defaultValue: text })),
    h(
      "div",
      null,
      h("label", { for: "project" }, "Project"),
      h(
        "select",
        { id: "project", name: "project" },
        h("option", { value: "" }, "Every project"),
        projects.map(({ id, name }) => h("option", { value: id, selected: id === project }, name)),
      ),
    ),
    h(
      "label",
      { class: "check" },
      h("input", { name: "over", type: "checkbox", defaultChecked: isOver }),
      "Done and canceled",
    ),
  );
}

function showColumns(columns, context) {
  if (!columns.length) return nothing("Nothing here.");
  return h(
    "div",
    { class: "board" },
    columns.map((column) =>
      h(
        "section",
        { key: column.status, class: "column", "aria-label": column.name },
        h("h2", null, mark(column.name, toneOf(column.category)), ` ${column.count}${column.isCounted ? "" : "+"}`),
        column.rows.length ? h("ul", null, column.rows.map(showCard)) : nothing("Nothing here."),
        column.isCut ? showMore(column, context) : null,
      ),
    ),
  );
}

function showCard(card) {
  return h(
    "li",
    { key: card.id, class: "card" },
    h("div", { class: "what" }, goTo(card.path, card.title)),
    h(
      "div",
      { class: "about" },
      h("span", null, card.identifier),
      ["URGENT", "HIGH"].includes(card.priority) ? mark(plainly(card.priority), toneOf(card.priority)) : null,
      card.isHeld ? mark(card.who, "live") : card.who ? h("span", null, card.who) : null,
      card.isQueued ? h("span", null, "queued") : null,
      card.blockers ? mark("blocked", "bad") : null,
      when(card.at),
    ),
  );
}

function showMore({ status, name }, context) {
  const more = () => {
    context.memory.shown[status] = (context.memory.shown[status] ?? 1) + 1;
    return context.reload();
  };
  return h("button", { type: "button", onclick: more, "aria-label": `Show more of ${name}` }, "Show more");
}
