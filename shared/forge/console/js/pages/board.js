/** The board: issues by their status, to look at. Filters stand in the address, so that a view can be shared. */

import { call, orNothing, pages } from "../api.js";
import { goTo, h, mark, nothing, when } from "../dom.js";
import { holderOf } from "../issue_view.js";
import { agentNames } from "../names.js";
import { howMany } from "../opening.js";
import { paths } from "../routes.js";
import { plainly, toneOf } from "../words.js";

const OPEN = ["BACKLOG", "TODO", "IN_PROGRESS", "IN_REVIEW"];
const OVER = ["DONE", "CANCELED"];
const FIELDS = [
  ...["id", "identifier", "title", "statusId", "priority", "project", "assignedAgent", "queued", "claimedById"],
  ...["claimedByAgentId", "claimExpiresAt", "openBlockers", "updatedAt"],
];
const PAGE = 100;

export const boardPage = {
  title: "Board",
  read: readBoard,
  decide: boardView,
  show: {
    filters: showFilters,
    count: (text) => h("p", { class: "hint" }, text),
    columns: showColumns,
    more: showMore,
  },
  ordered: ["columns"],
};

function filtersOf(search) {
  const asked = new URLSearchParams(search);
  return { project: asked.get("project") ?? "", text: asked.get("q") ?? "", isOver: asked.has("over") };
}

async function readBoard(params, memory) {
  const filters = filtersOf(location.search);
  memory.pages ??= 1;
  memory.fixed ??= Promise.all([call("statuses.list"), orNothing(call("projects.list", { limit: 100 }), { data: [] })]);
  const asked = {
    limit: PAGE,
    fields: FIELDS,
    statusCategories: filters.isOver ? OVER : OPEN,
    projectId: filters.project || undefined,
    query: filters.text.trim() || undefined,
  };
  const [[statuses, projects], issues, names] = await Promise.all([
    memory.fixed,
    pages("issues.list", asked, { most: memory.pages }),
    agentNames(),
  ]);
  return { filters, statuses: statuses.data, projects: projects.data, issues, names };
}

function boardView({ filters, statuses, projects, issues, names }) {
  const wanted = filters.isOver ? OVER : OPEN;
  const columns = statuses
    .filter((status) => wanted.includes(status.category))
    .map((status) => ({
      name: status.name,
      category: status.category,
      rows: issues.rows.filter((issue) => issue.statusId === status.id).map((issue) => cardOf(issue, names)),
    }));
  return {
    heading: "Board",
    parts: {
      filters: { ...filters, projects: projects.map(({ id, name }) => ({ id, name })) },
      count: howMany(issues.rows, { isCut: issues.isCut }),
      columns,
      more: issues.isCut || null,
    },
  };
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
  const search = h("input", {
    id: "text",
    type: "search",
    placeholder: "Words in title or text",
    "data-draft": "text",
    value: text,
  });
  const choice = h(
    "select",
    { id: "project" },
    h("option", { value: "" }, "Every project"),
    projects.map(({ id, name }) => h("option", { value: id, selected: id === project }, name)),
  );
  const over = h("input", { id: "over", type: "checkbox", checked: isOver });
  const look = (event) => {
    event.preventDefault();
    const asked = new URLSearchParams({
      ...(choice.value && { project: choice.value }),
      ...(search.value.trim() && { q: search.value.trim() }),
      ...(over.checked && { over: "1" }),
    });
    context.app.replacePath(`${paths.board}${asked.size ? `?${asked}` : ""}`);
    context.memory.pages = 1;
    context.reload();
  };
  return h(
    "form",
    { class: "filters", role: "search", onsubmit: look, onchange: look },
    h("div", null, h("label", { for: "text" }, "Text"), search),
    h("div", null, h("label", { for: "project" }, "Project"), choice),
    h("label", { class: "check" }, over, "Done and canceled"),
  );
}

function showColumns(columns) {
  return h(
    "div",
    { class: "board" },
    columns.map(({ name, category, rows }) =>
      h(
        "section",
        { class: "column", "aria-label": name },
        h("h2", null, mark(name, toneOf(category)), ` ${rows.length}`),
        rows.length ? h("ul", null, rows.map(showCard)) : nothing("Nothing here."),
      ),
    ),
  );
}

function showCard(card) {
  return h(
    "li",
    { class: "card" },
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

function showMore(_, context) {
  const more = () => {
    context.memory.pages += 1;
    return context.reload();
  };
  return h("button", { type: "button", onclick: more }, "Show more");
}
