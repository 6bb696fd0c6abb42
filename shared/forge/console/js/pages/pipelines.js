/** Pipelines: requests on their way to a merged change, the one that moved last first. */

import { pages } from "../api.js";
import { goTo, h, nothing, when } from "../dom.js";
import { choiceField } from "../fields.js";
import { showMore } from "../parts.js";
import { phaseName, statusMark } from "../pictures/phase_strip.js";
import { at, paths } from "../routes.js";

const SHOWN = [
  { value: "open", text: "Those that go on" },
  { value: "waiting", text: "Those that wait for a person" },
  { value: "", text: "All of them" },
];

export const pipelinesPage = {
  title: "Pipelines",
  read: (params, memory) => pages("pipeline_list", { limit: 50, status: shownNow() || undefined }, { most: (memory.pages ??= 1) }),
  decide: ({ rows, isCut }) => ({ heading: "Pipelines", parts: { filter: shownNow() || "all", rows: rows.map(rowOf), more: isCut || null } }),
  show: {
    filter: showFilter,
    rows: (rows) => (rows.length ? h("ul", { class: "rows" }, rows.map(showRow)) : nothing("None. An agent begins one with pipeline_init.")),
    more: showMore,
  },
  ordered: ["rows"],
};

function shownNow() {
  const status = new URLSearchParams(location.search).get("status") ?? "open";
  return SHOWN.some(({ value }) => value === status) ? status : "";
}

function rowOf(row) {
  const name = row.workspace.replace(".specs/", "");
  const { title, status, effort, branch, repository } = row;
  return { id: name, path: paths.pipeline(name), title: title || name, phase: phaseName(row.current_phase), status, effort, branch, repository, at: row.updated_at };
}

function showFilter(status, context) {
  const look = (event) => {
    context.app.replacePath(at("/pipelines", { status: event.currentTarget.value || "all" }));
    context.reload();
  };
  const chosen = status === "all" ? "" : status;
  return h("div", { class: "filters" }, choiceField("Show", { id: "shown", onchange: look }, SHOWN, chosen));
}

function showRow(row) {
  return h(
    "li",
    { key: row.id, class: row.status === "awaiting_human" ? "row tone-warn" : "row" },
    h("div", { class: "what" }, goTo(row.path, row.title)),
    h(
      "div",
      { class: "about" },
      statusMark(row.status),
      h("span", null, row.phase),
      h("span", null, `effort ${row.effort}`),
      row.branch ? h("code", null, row.branch) : null,
      row.repository ? h("span", null, row.repository) : null,
      h("span", null, "moved ", when(row.at)),
    ),
  );
}
