import assert from "node:assert/strict";
import { test } from "node:test";

import { dayView, lanesOf } from "../../../shared/forge/console/js/pages/day.js";
import { minutes, tilesOf } from "../../../shared/forge/console/js/pages/analytics.js";
import { momentsOf, timelineOf } from "../../../shared/forge/console/js/pictures/run_timeline.js";
import { lengthOf, stacked, ticksOf, within } from "../../../shared/forge/console/js/pictures/spans.js";

const NOON = Date.parse("2026-11-18T12:00:00Z");
const HOUR = 3_600_000;
const FRAME = { from: NOON - 10 * HOUR, to: NOON };
const at = (hours) => new Date(NOON + hours * HOUR).toISOString();

test("what goes on lasts until now, and what lies outside is not drawn", () => {
  assert.deepEqual(within({ startedAt: at(-5), finishedAt: at(-4) }, FRAME, NOON), { left: 50, width: 10 });
  assert.deepEqual(within({ startedAt: at(-1), finishedAt: null }, FRAME, NOON), { left: 90, width: 10 });
  assert.deepEqual(within({ startedAt: at(-20), finishedAt: at(-9) }, FRAME, NOON), { left: 0, width: 10 });
  assert.equal(within({ startedAt: at(-20), finishedAt: at(-19) }, FRAME, NOON), null);
  assert.equal(within({ startedAt: "nonsense" }, FRAME, NOON), null);
});

test("bars that overlap stand below one another, and only those", () => {
  const bars = [{ left: 0, width: 10 }, { left: 5, width: 10 }, { left: 10, width: 5 }, { left: 40, width: 1 }];
  assert.deepEqual(stacked(bars).map(({ row }) => row), [0, 1, 0, 0]);
});

test("a frame has a few round times beneath it", () => {
  assert.deepEqual(ticksOf(FRAME).map(({ left }) => left), [0, 20, 40, 60, 80, 100]);
  assert.ok(ticksOf({ from: NOON, to: NOON + 60_000 }).length <= 8);
  assert.ok(ticksOf({ from: NOON - 7 * 24 * HOUR, to: NOON }).length <= 8);
});

test("lengths are said as people say them", () => {
  assert.deepEqual([20_000, 61_000, 2 * HOUR, 2.5 * HOUR, 72 * HOUR].map(lengthOf), ["less than a minute", "1 min", "2 h", "2 h 30 min", "3 days"]);
  assert.deepEqual([5, 90, 5000].map(minutes), ["5 min", "1.5 h", "3.5 d"]);
});

test("each agent with a run has a lane, the busiest first", () => {
  const run = (id, agent) => ({ id, agent: { id: agent, profileKey: agent }, startedAt: at(-2), finishedAt: null, status: "ACTIVE", engagementMode: "EXECUTE", issue: { identifier: "DEMO-1", title: "A" } });
  const lanes = lanesOf([run("1", "b"), run("2", "a"), run("3", "a")], [{ id: "a", profileKey: "ada" }]);
  assert.deepEqual(lanes.map(({ name, bars }) => [name, bars.length]), [["@ada", 2], ["@b", 1]]);
  const over = { ...run("4", "c"), startedAt: at(-30), finishedAt: at(-25) };
  assert.deepEqual(dayView({ runs: [over, run("1", "b")], isCut: false, agents: [] }, {}, {}, NOON).parts.table.lanes.map(({ name }) => name), ["@b"]);
  assert.equal(dayView({ runs: [], isCut: false, agents: [] }, {}, {}, NOON).parts.table, null);
});

test("what nobody counted is a dash and no zero", () => {
  const none = { passRate: null };
  const flow = { done: 0, acceptedChanges: 0, cycleP50Minutes: null, cycleP90Minutes: null, reviews: none, people: { p50Minutes: null } };
  const tiles = Object.fromEntries(tilesOf(flow, { usd: 0, usdPerAcceptedChange: null }));
  assert.deepEqual([tiles.Done, tiles["Cycle time"], tiles["Reviews passed"], tiles["Per accepted change"]], ["0", "–", "–", "–"]);
});

test("a run's moments are its own and what its agent did meanwhile, the earliest first", () => {
  const run = { id: "r", status: "ACTIVE", startedAt: at(-3), finishedAt: null, agent: { id: "a" }, costUsd: 1 };
  const of = (id, hours, more) => ({ id, createdAt: at(hours), kind: "COMMENT_CREATED", subjectType: "issue", subjectId: "i", actorAgent: { id: "a" }, payload: {}, ...more });
  const events = [
    of("later", -1),
    of("began", -3, { kind: "AGENT_RUN_STARTED", subjectType: "agent-run", subjectId: "r", actorAgent: null }),
    of("before", -4),
    of("other", -1, { actorAgent: { id: "b" } }),
    of("waits", -2, { kind: "AGENT_RUN_BLOCKED", subjectType: "agent-run", subjectId: "r", payload: { reason: "Which schema?" } }),
    of("later", -1),
  ];
  assert.deepEqual(momentsOf(run, events).map(({ text }) => text), ["Began", "Waits: Which schema?", "Commented"]);
  assert.equal(timelineOf(run, events, NOON).moments[2].left, 66.66666666666666);
});
