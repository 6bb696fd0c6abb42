/** The board: issues by their status, moved by hand or by keys. Filters stand in the address, so that a view can be shared. */

import { mayCallEach } from "../allowed.js";
import { call, orNothing, pages } from "../api.js";
import { FIELDS, askedFor, boardView, columnsFor, filtersOf } from "../board_view.js";
import { goTo, h, section, when } from "../dom.js";
import { PRIORITIES, checkField, choiceField, choicesOf, saidIn } from "../fields.js";
import { theTerms } from "../known.js";
import { liveRuns } from "../live_runs.js";
import { agentNames, allAgents } from "../names.js";
import { openNewIssue } from "../new_issue.js";
import { at, paths } from "../routes.js";
import { saidInComments } from "../said.js";
import { plainly } from "../words.js";
import { showCard, showColumns } from "./board_columns.js";

const PAGE = 50;
/** A filter may leave out most of what a call reads: so many calls fill a column at most. */
const MOST_CALLS = 5;
const IDENTIFIER = /^[a-z][a-z0-9]*-\d{1,9}$/i;

/** @type {import("../opening.js").Page} */
export const boardPage = {
  title: "Board",
  wide: true,
  read: readBoard,
  decide: (answers, params, { written }) => boardView({ ...answers, written }),
  show: {
    filters: showFilters,
    written: ({ path, identifier }) => h("p", { class: "outcome slim", role: "status" }, goTo(path, identifier), " is written."),
    count: (text) => h("p", { class: "hint" }, text),
    named: (card) => h("section", { class: "named", "aria-label": "By its identifier" }, h("ul", null, showCard(card))),
    columns(columns, context) {
      // By whom what came late is shown.
      context.memory.again = context.reload;
      return showColumns(columns, context);
    },
    said: showSaid,
  },
  ordered: ["columns"],
};

/** Each column by itself, so that none is empty because another is full. */
async function readBoard(params, memory) {
  const filters = filtersOf(location.search);
  memory.shown ??= {};
  const working = whoWorks(memory);
  const beside = Promise.all([
    IDENTIFIER.test(filters.q) ? orNothing(call("issues.get", { id: filters.q }), null) : null,
    filters.q ? saidInComments(filters.q) : null,
    agentNames(),
    allAgents(),
    mayCallEach(["issues.create", "issues.transition"]),
  ]);
  const terms = theTerms();
  const columns = terms.then(({ statuses }) => Promise.all(columnsFor(statuses, filters).map((status) => readColumn(status, filters, memory))));
  const [[named, said, names, agents, may], known, found] = await Promise.all([beside, terms, columns]);
  return { filters, terms: known, agents, named, said, names, columns: found, may, runs: await working() };
}

/**
 * Who works on what. Where many do, that is told a moment after the board is there; it is never waited for twice.
 * @returns {() => Promise<any[]>} what is known once the rest is
 */
function whoWorks(memory) {
  const read = liveRuns().then((runs) => (memory.runs = runs));
  read.catch(() => {});
  return async () => {
    if (memory.runs) return read;
    read.then(() => memory.again?.(), () => {});
    return [];
  };
}

async function readColumn(status, filters, memory) {
  const asked = { limit: PAGE, fields: FIELDS, statusId: status.id, ...askedFor(filters) };
  const pagesShown = memory.shown[status.id] ?? 1;
  const found = await pages("issues.list", asked, { most: pagesShown + MOST_CALLS - 1, enough: pagesShown * PAGE });
  return { status, ...found };
}

function showSaid(rows) {
  const row = ({ id, path, identifier, text, by, at }) =>
    h("li", { key: id, class: "row" }, h("div", { class: "what" }, goTo(path, text)), h("div", { class: "about" }, h("span", null, identifier), h("span", null, `${by} said it `, when(at))));
  return section("Said in comments", h("ul", { class: "rows" }, rows.map(row)));
}

function showFilters({ filters, terms, people, may }, context) {
  const look = (event) => {
    event.preventDefault();
    const said = saidIn(event.currentTarget);
    const names = ["q", "project", "label", "agent", "cycle", "priority"];
    const asked = Object.fromEntries(names.map((name) => [name, said(name)]));
    context.app.replacePath(at("/board", { ...asked, over: said("over") && "1" }));
    context.memory.shown = {};
    context.reload();
  };
  const none = (text) => ({ id: "none", name: text });
  const urgency = PRIORITIES.map((name) => ({ id: name, name: name === "NONE" ? "no priority" : plainly(name) }));
  const field = (label, name, any, all) =>
    all.length ? choiceField(label, { id: name, name }, choicesOf(any, all), filters[name]) : null;
  const words = { id: "text", name: "q", type: "search", placeholder: "Words, or DEMO-12", "data-draft": "text" };
  return h(
    "form",
    { class: "filters", role: "search", onsubmit: look, onchange: look },
    h("div", { class: "field" }, h("label", { for: "text" }, "Text"), h("input", { ...words, defaultValue: filters.q })),
    field("Project", "project", "Every project", terms.projects),
    field("Label", "label", "Every label", terms.labels),
    field("Agent", "agent", "Everybody", [none("Nobody"), ...people]),
    terms.cycles.length ? field("Cycle", "cycle", "Every cycle", [none("No cycle"), ...terms.cycles]) : null,
    field("Priority", "priority", "Every priority", urgency),
    checkField("Done and canceled", { name: "over", defaultChecked: Boolean(filters.over) }),
    may["issues.create"] ? h(NewButton, { context, projectId: filters.project }) : null,
  );
}

/** @param {{context: import("../opening.js").Context, projectId: string}} given */
function NewButton({ context, projectId }) {
  // Filters may hide what was just written.
  const told = ({ identifier }) => {
    context.memory.written = { identifier, path: paths.issue(identifier) };
    context.reload();
  };
  const open = () => openNewIssue(context.app, { projectId }, told);
  return h("button", { type: "button", class: "primary", "data-key": "c", onclick: open }, "New issue");
}
