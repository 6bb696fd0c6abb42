/** What of a goal is better seen than read: its plan as a graph, and what was spent of its budget. */

import { facts, h, section } from "../dom.js";
import { usd } from "../words.js";
import { PlanGraph } from "./plan_graph.js";

/** From when on a budget is nearly spent. */
const NEAR = 0.8;

/**
 * The steps as their picture needs them, with what their runs took.
 * @param {any[]} rows of the goal's page @param {any[]} steps as the plan has them @param {any[]} runs of the issue
 * @returns {import("./plan_graph.js").GraphStep[]}
 */
export function graphSteps(rows, steps, runs) {
  const afterIds = new Map(steps.map((step) => [step.id, step.dependsOnStepIds ?? []]));
  return rows.map((row) => {
    const own = runs.filter((run) => run.executionStepId === row.id);
    return {
      id: row.id,
      number: row.number,
      title: row.title,
      status: row.status,
      afterIds: afterIds.get(row.id) ?? [],
      who: row.who,
      tries: row.tries,
      verdict: row.verdict,
      costUsd: sumOf(own.map((run) => run.costUsd)),
      minutes: sumOf(own.map(minutesOf)),
    };
  });
}

/**
 * What was spent, of how much, and on what.
 * @param {{spent: number, most: number | null, plans: any[], steps: import("./plan_graph.js").GraphStep[] | null}} given
 */
export function budgetOf({ spent, most, plans, steps }) {
  if (!spent && most === null) return null;
  const share = most ? spent / most : null;
  const dearest = (steps ?? []).filter(({ costUsd }) => costUsd).sort((one, other) => Number(other.costUsd) - Number(one.costUsd));
  return {
    spent,
    most,
    share,
    state: share === null ? "open" : share > 1 ? "over" : share >= NEAR ? "near" : "within",
    attempts: plans.length,
    steps: dearest.slice(0, 8).map(({ id, number, title, costUsd }) => ({ id, name: `${number}. ${title}`, usd: Number(costUsd) })),
  };
}

/** @param {{steps: import("./plan_graph.js").GraphStep[]}} given */
export function showPicture({ steps }) {
  return section("The plan", h(PlanGraph, { steps }));
}

const SAID = { open: "no limit", within: "within its budget", near: "nearly spent", over: "over its budget" };

/** @param {NonNullable<ReturnType<typeof budgetOf>>} budget */
export function showBudget({ spent, most, share, state, attempts, steps }) {
  const told = most === null ? `${usd(spent)} spent` : `${usd(spent)} of ${usd(most)} (${Math.round((share ?? 0) * 100)} %)`;
  return section(
    "Spent",
    h(
      "div",
      { class: "budget" },
      h("p", { class: "large" }, told, h("span", { class: "hint" }, ` ${SAID[state]}`)),
      share === null
        ? null
        : h("progress", { max: "1", value: String(Math.min(1, share)), class: state, "aria-label": `Of the budget: ${told}` }),
      facts([
        ["Left", most === null ? null : usd(Math.max(0, most - spent))],
        ["By attempts", attempts > 1 ? `${attempts} plans together` : null],
      ]),
    ),
    steps.length ? h(Shares, { rows: steps.map((one) => ({ id: one.id, name: one.name, value: one.usd })), format: usd }) : null,
  );
}

/**
 * Several amounts beside one another, the largest first.
 * @param {{rows: {id: string, name: string, value: number}[], format: (value: number) => string}} given
 */
export function Shares({ rows, format }) {
  const largest = Math.max(...rows.map(({ value }) => value), 0) || 1;
  return h(
    "ul",
    { class: "shares" },
    rows.map(({ id, name, value }) =>
      h(
        "li",
        { key: id },
        h("span", null, name),
        h("progress", { max: String(largest), value: String(Math.max(0, value)), "aria-hidden": "true" }),
        h("span", { class: "align-right" }, format(value)),
      ),
    ),
  );
}

/** @param {any} run @returns {number | null} */
function minutesOf(run) {
  return run.finishedAt ? (Date.parse(run.finishedAt) - Date.parse(run.startedAt)) / 60_000 : null;
}

/** @param {(number | null | undefined)[]} numbers */
function sumOf(numbers) {
  const known = /** @type {number[]} */ (numbers.filter((one) => one !== null && one !== undefined));
  return known.length ? known.reduce((sum, one) => sum + one, 0) : null;
}

