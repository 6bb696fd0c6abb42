/** How work flows and what it costs, on the days of a range. */

import { theWorkspace } from "../allowed.js";
import { call, orNothing } from "../api.js";
import { Chart } from "../charts.js";
import { serverNow } from "../clock.js";
import { h, nothing, section, when } from "../dom.js";
import { Shares } from "../pictures/goal_pictures.js";
import { at } from "../routes.js";
import { counted, usd } from "../words.js";

const DAY_MS = 86_400_000;
const RANGES = [7, 30, 90];
const USUAL = 30;
const BY = { AGENT: "agent", MODEL: "model", PROJECT: "project", GOAL: "goal" };

/** What is drawn of each day, by its names in the answer. */
const FLOWS = [
  {
    title: "Throughput: issues a day",
    lines: [
      { label: "Made", of: "created", tone: "faint" },
      { label: "Done", of: "done", tone: "good", isBars: true },
    ],
  },
  {
    title: "Cycle time, from start to done",
    format: minutes,
    lines: [
      { label: "Half within", of: "cycleP50Minutes", tone: "live" },
      { label: "9 of 10 within", of: "cycleP90Minutes", tone: "warn" },
    ],
  },
  { title: "Issues in work", lines: [{ label: "In work", of: "inWork", isFilled: true }] },
  {
    title: "Reviews",
    lines: [
      { label: "Passed", of: "passed", tone: "good", isBars: true },
      { label: "Sent back", of: "failed", tone: "bad" },
    ],
  },
  { title: "Waiting for people, in all", format: minutes, lines: [{ label: "Waited", of: "waitedMinutes", tone: "warn", isBars: true }] },
];

export const analyticsPage = {
  title: "Analytics",
  seconds: 60,
  wide: true,
  read: readFigures,
  decide: analyticsView,
  show: { range: showRange, tiles: showTiles, flow: showFlow, cost: showCost, by: showBy, counted: showCounted },
};

async function readFigures(params) {
  const asked = askedOf(params);
  // Which day it is the server says, and it has to have said something.
  await orNothing(theWorkspace(), null);
  const since = new Date(serverNow() - (asked.days - 1) * DAY_MS).toISOString().slice(0, 10);
  const [flow, cost] = await Promise.all([
    call("analytics.flow", { since }),
    call("analytics.cost", { since, by: asked.by }),
  ]);
  return { flow, cost };
}

/** @param {{days?: string, by?: string}} params */
function askedOf({ days, by }) {
  const wanted = Number(days);
  return { days: RANGES.includes(wanted) ? wanted : USUAL, by: by && by in BY ? by : "AGENT" };
}

function analyticsView({ flow, cost }, params) {
  const asked = askedOf(params);
  return {
    heading: "Analytics",
    parts: {
      range: asked,
      tiles: tilesOf(flow, cost),
      flow: { days: flow.days, title: `The last ${asked.days} days` },
      cost: { days: cost.days },
      by: { by: BY[asked.by], rows: cost.rows ?? [], others: cost.others ?? null, days: cost.days.map(({ day }) => day) },
      counted: { at: flow.countedUntil },
    },
  };
}

/** @returns {[string, string][]} */
export function tilesOf(flow, cost) {
  const { reviews, people } = flow;
  return [
    ["Done", String(flow.done)],
    ["By agents", String(flow.acceptedChanges)],
    ["Cycle time", flow.cycleP50Minutes === null ? "–" : minutes(flow.cycleP50Minutes)],
    ["9 of 10 within", flow.cycleP90Minutes === null ? "–" : minutes(flow.cycleP90Minutes)],
    ["Reviews passed", reviews.passRate === null ? "–" : `${Math.round(reviews.passRate * 100)} %`],
    ["Waited for people", people.p50Minutes === null ? "–" : minutes(people.p50Minutes)],
    ["Cost", usd(cost.usd)],
    ["Per accepted change", cost.usdPerAcceptedChange === null ? "–" : usd(cost.usdPerAcceptedChange)],
  ];
}

/** @param {number} amount */
export function minutes(amount) {
  if (amount < 60) return `${Math.round(amount)} min`;
  if (amount < 2880) return `${(amount / 60).toFixed(1)} h`;
  return `${(amount / 1440).toFixed(1)} d`;
}

function showRange({ days, by }, context) {
  const go = (/** @type {any} */ more) => context.app.navigate(at("/analytics", { days: String(days), by, ...more }));
  return h(
    "div",
    { class: "filters" },
    choice("Range", "range", String(days), RANGES.map((one) => [String(one), `Last ${one} days`]), (value) => go({ days: value })),
    choice("Cost by", "by", by, Object.entries(BY), (value) => go({ by: value })),
  );
}

/** @param {string} label @param {string} id @param {string} chosen @param {[string, string][]} options @param {(value: string) => void} hear */
function choice(label, id, chosen, options, hear) {
  const shown = options.map(([value, text]) => h("option", { value, selected: value === chosen }, text));
  const onchange = (/** @type {any} */ event) => hear(event.target.value);
  return h("div", null, h("label", { for: id }, label), h("select", { id, onchange }, shown));
}

function showTiles(tiles) {
  return h("dl", { class: "tiles" }, tiles.map(([name, value]) => h("div", { key: name }, h("dt", null, name), h("dd", null, value))));
}

function showFlow({ days, title }) {
  if (!days.some((day) => day.created || day.done || day.inWork)) return section(title, nothing("Nothing happened, or nothing is counted yet."));
  const names = days.map(({ day }) => day);
  const charts = FLOWS.map(({ lines, ...chart }) =>
    h(Chart, { key: chart.title, ...chart, days: names, lines: lines.map(({ of, ...line }) => ({ ...line, values: days.map((day) => day[of]) })) }),
  );
  return section(title, h("div", { class: "charts" }, charts));
}

function showCost({ days }) {
  const names = days.map(({ day }) => day);
  const perChange = days.map((day) => (day.acceptedChanges ? day.usd / day.acceptedChanges : null));
  return section(
    "Cost",
    h(
      "div",
      { class: "charts" },
      h(Chart, { title: "Cost a day", days: names, format: usd, lines: [{ label: "US dollars", values: days.map((day) => day.usd), isBars: true }] }),
      h(Chart, { title: "Cost of an accepted change", days: names, format: usd, lines: [{ label: "US dollars", values: perChange, tone: "live" }] }),
    ),
  );
}

const TONES = ["accent", "live", "good", "warn", "bad"];

function showBy({ by, rows, others, days }) {
  if (!rows.length) return section(`Cost by ${by}`, nothing("No run has said what it cost."));
  const shares = rows.map((row) => ({ id: row.id ?? "", name: row.name, value: row.usd }));
  if (others) shares.push({ id: "others", name: "all others", value: others.usd });
  const lines = rows.slice(0, TONES.length).map((row, place) => ({ label: row.name, values: row.usdByDay, tone: TONES[place] }));
  return section(
    `Cost by ${by}`,
    h(
      "div",
      { class: "charts" },
      h("div", null, h(Shares, { rows: shares, format: usd }), h("p", { class: "hint" }, `${counted(rows.reduce((sum, row) => sum + row.runs, 0), "completed run")}.`)),
      h(Chart, { title: "The dearest, a day", days, format: usd, lines }),
    ),
  );
}

function showCounted({ at: until }) {
  return h("p", { class: "hint" }, until ? ["Counted until ", when(until), "."] : "Nothing is counted yet: the first figures come within minutes.");
}

