/** Agents as lanes: who was at work when, over a day. */

import { pages } from "../api.js";
import { serverNow } from "../clock.js";
import { goTo, h, nothing, section, when } from "../dom.js";
import { keptFor } from "../keeping.js";
import { allAgents } from "../names.js";
import { Lanes } from "../pictures/lanes.js";
import { lengthOf } from "../pictures/spans.js";
import { at, paths } from "../routes.js";
import { counted, plainly } from "../words.js";

const DAY_MS = 86_400_000;
const HOURS = [6, 24, 72, 168];
const USUAL = 24;
const FIELDS = ["id", "status", "engagementMode", "startedAt", "finishedAt", "costUsd", "issue", "agent"];
/** A run that began before the day may still go on; of those, as many as there are in so many pages. */
const MOST_PAGES = 10;
const KEPT_MS = 4_000;
const latestRuns = keptFor(KEPT_MS, () => pages("runs.list", { limit: 200, fields: FIELDS }, { most: MOST_PAGES }));

export const dayPage = {
  title: "Day",
  wide: true,
  read: readDay,
  decide: dayView,
  show: { range: showRange, lanes: showLanes, table: showTable },
};

async function readDay() {
  const [{ rows, isCut }, agents] = await Promise.all([
    latestRuns(),
    allAgents(),
  ]);
  return { runs: rows, isCut, agents };
}

/** @param {{hours?: string}} params */
function hoursOf({ hours }) {
  return HOURS.includes(Number(hours)) ? Number(hours) : USUAL;
}

export function dayView({ runs, isCut, agents }, params, memory, now = serverNow()) {
  const hours = hoursOf(params);
  // Whole minutes: a picture that moves with each answer would be drawn anew for nothing.
  const to = Math.ceil(now / 60_000) * 60_000;
  const from = to - (hours / 24) * DAY_MS;
  const lanes = lanesOf(runs.filter((run) => !run.finishedAt || Date.parse(run.finishedAt) >= from), agents);
  return {
    heading: "Who worked when",
    parts: {
      range: { hours },
      lanes: { lanes, to, from, isCut, hours },
      table: lanes.length ? { lanes, to } : null,
    },
  };
}

/** A lane for each agent with a run, the busiest first. */
export function lanesOf(runs, agents) {
  const names = new Map(agents.map((agent) => [agent.id, `@${agent.profileKey}`]));
  const lanes = new Map();
  for (const run of runs) {
    const id = run.agent?.id ?? "";
    const lane = lanes.get(id) ?? { id, name: names.get(id) ?? (run.agent ? `@${run.agent.profileKey}` : "an agent that is gone"), path: paths.agents, bars: [] };
    lane.bars.push(barOf(run));
    lanes.set(id, lane);
  }
  return [...lanes.values()].sort((one, other) => other.bars.length - one.bars.length || one.name.localeCompare(other.name));
}

function barOf(run) {
  return {
    id: run.id,
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    status: run.status,
    path: paths.run(run.id),
    text: `${run.issue.identifier} ${run.issue.title}: ${plainly(run.engagementMode)}, ${plainly(run.status)}`,
  };
}

function showRange({ hours }, context) {
  const options = HOURS.map((one) => h("option", { value: String(one), selected: one === hours }, one < 48 ? `${one} hours` : `${one / 24} days`));
  const onchange = (/** @type {any} */ event) => context.app.navigate(at("/day", { hours: event.target.value }));
  return h("div", { class: "filters" }, h("div", null, h("label", { for: "hours" }, "The last"), h("select", { id: "hours", onchange }, options)));
}

function showLanes({ lanes, from, to, isCut, hours }) {
  if (!lanes.length) return nothing(`No agent was at work in the last ${hours} hours.`);
  return [
    h(Lanes, { lanes, from, to, now: to, label: `Runs of ${counted(lanes.length, "agent")}` }),
    isCut ? nothing("There were more runs than are shown.") : null,
  ];
}

function showTable({ lanes, to }) {
  const row = (/** @type {any} */ lane) => (/** @type {any} */ bar) =>
    h(
      "tr",
      { key: bar.id },
      h("td", null, lane.name),
      h("td", null, goTo(bar.path, bar.text)),
      h("td", null, when(bar.startedAt)),
      h("td", null, bar.finishedAt ? lengthOf(Date.parse(bar.finishedAt) - Date.parse(bar.startedAt)) : `${lengthOf(to - Date.parse(bar.startedAt))} so far`),
    );
  const head = h("tr", null, ["Agent", "Run", "Began", "Took"].map((name) => h("th", null, name)));
  const rows = lanes.flatMap((/** @type {any} */ lane) => lane.bars.map(row(lane)));
  const table = h("table", null, h("thead", null, head), h("tbody", null, rows));
  return section("The same as a table", h("details", null, h("summary", null, counted(rows.length, "run")), h("div", { class: "table", tabindex: "0" }, table)));
}
