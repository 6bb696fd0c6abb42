import assert from "node:assert/strict";
import { test } from "node:test";

import { budgetOf, graphSteps } from "../../../shared/forge/console/js/pictures/goal_pictures.js";
import { linesOf, weighted } from "../../../shared/forge/console/js/pictures/plan_graph.js";
import { NODE, criticalPath, layoutOf } from "../../../shared/forge/console/js/pictures/plan_layout.js";

const step = (id, after = [], weight = 1) => ({ id, after, weight });
const DIAMOND = [step("a"), step("b", ["a"], 5), step("c", ["a"]), step("d", ["b", "c"])];

test("a step stands behind all that it waits for, and none upon another", () => {
  const { nodes, edges } = layoutOf(DIAMOND);
  const at = Object.fromEntries(nodes.map((node) => [node.id, node]));
  assert.deepEqual(nodes.map(({ layer }) => layer), [0, 1, 1, 2]);
  for (const { from, to } of edges) assert.ok(at[from].x + NODE.width < at[to].x);
  assert.ok(Math.abs(at.b.y - at.c.y) >= NODE.height);
});

test("where there is no room beside one another, layers go down", () => {
  const wide = layoutOf(DIAMOND);
  const narrow = layoutOf(DIAMOND, { isDown: true });
  assert.ok(narrow.width < wide.width && narrow.height > wide.height);
  const at = Object.fromEntries(narrow.nodes.map((node) => [node.id, node]));
  assert.ok(at.a.y < at.b.y && at.b.y === at.c.y);
});

test("everything lies within the picture", () => {
  for (const isDown of [false, true]) {
    const { nodes, width, height } = layoutOf(DIAMOND, { isDown });
    for (const { x, y } of nodes) assert.ok(x >= 0 && y >= 0 && x + NODE.width <= width && y + NODE.height <= height);
  }
});

test("the chain that takes longest is found by time and not by number", () => {
  assert.deepEqual(criticalPath(DIAMOND), ["a", "b", "d"]);
  assert.deepEqual(criticalPath([step("a"), step("b", ["a"]), step("c", [], 9)]), ["c"]);
  const { edges } = layoutOf(DIAMOND);
  assert.deepEqual(edges.filter(({ isCritical }) => isCritical).map(({ from, to }) => from + to), ["ab", "bd"]);
});

test("circles, strangers and no steps at all are drawn without an end", () => {
  assert.equal(layoutOf([step("a", ["b"]), step("b", ["a"]), step("c", ["gone", "c"])]).nodes.length, 3);
  assert.deepEqual(layoutOf([]).nodes, []);
  assert.deepEqual(criticalPath([]), []);
});

test("a plan as long as there may be is laid out in a moment", () => {
  const many = Array.from({ length: 300 }, (_, place) => step(`s${place}`, place ? [`s${place >> 1}`, `s${place - 1}`].filter((id) => id !== `s${place}`) : []));
  const began = performance.now();
  assert.equal(layoutOf(many).nodes.length, 300);
  assert.ok(performance.now() - began < 200);
});

test("what has not been measured is as long as what has", () => {
  const of = (id, minutes) => ({ id, afterIds: [], minutes });
  assert.deepEqual(weighted([of("a", 10), of("b", 30), of("c", null)]).map(({ weight }) => weight), [10, 30, 20]);
  assert.deepEqual(weighted([of("a", null)]).map(({ weight }) => weight), [1]);
});

test("a long title is cut and says so", () => {
  assert.deepEqual(linesOf("1. Design"), ["1. Design"]);
  const lines = linesOf("12. Write a parser that reads every file anybody ever sent us");
  assert.equal(lines.length, 2);
  assert.ok(lines[1].endsWith("…"));
  assert.ok(linesOf("x".repeat(200))[0].length <= 25);
});

test("what a step cost is what its runs cost, and unknown where none said", () => {
  const rows = [{ id: "s1", number: 1, title: "A", status: "DONE", who: "", tries: 0, verdict: null }, { id: "s2", number: 2, title: "B", status: "TODO", who: "", tries: 0, verdict: null }];
  const steps = [{ id: "s1" }, { id: "s2", dependsOnStepIds: ["s1"] }];
  const run = (more) => ({ executionStepId: "s1", startedAt: "2026-11-18T12:00:00Z", finishedAt: null, costUsd: null, ...more });
  const [first, second] = graphSteps(rows, steps, [run({ costUsd: 0.5, finishedAt: "2026-11-18T12:30:00Z" }), run({ costUsd: 0.25 })]);
  assert.deepEqual([first.costUsd, first.minutes, second.costUsd, second.afterIds], [0.75, 30, null, ["s1"]]);
});

test("a budget is nearly spent from four fifths on, and over beyond it", () => {
  const state = (spent, most) => budgetOf({ spent, most, plans: [], steps: null })?.state;
  assert.deepEqual([state(1, 5), state(4, 5), state(5, 5), state(6, 5), state(1, null)], ["within", "near", "near", "over", "open"]);
  assert.equal(budgetOf({ spent: 0, most: null, plans: [], steps: null }), null);
});
