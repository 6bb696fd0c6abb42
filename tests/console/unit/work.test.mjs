import assert from "node:assert/strict";
import { test } from "node:test";

import { commentsIn, having } from "../../../shared/forge/console/js/said.js";
import { askedFor, beside, columnsFor, filtersOf } from "../../../shared/forge/console/js/board_view.js";
import { burnUp, progressOf } from "../../../shared/forge/console/js/burnup.js";
import { complete, namingIn } from "../../../shared/forge/console/js/completing.js";
import { assignedTo } from "../../../shared/forge/console/js/issue_view.js";
import { changeOf } from "../../../shared/forge/console/js/edit_issue.js";
import { openFirst } from "../../../shared/forge/console/js/issue_rows.js";
import { lasted, timelineOf } from "../../../shared/forge/console/js/runs_view.js";

const on = (day) => `2026-11-${String(day).padStart(2, "0")}T10:00:00Z`;
const done = (from, to) => ({ createdAt: on(from), completedAt: on(to), updatedAt: on(20), isDone: true });
const open = (from) => ({ createdAt: on(from), updatedAt: on(from), isDone: false });

test("a burn-up counts what there was and what was done by the end of each day", () => {
  const burn = burnUp([done(1, 3), open(2), done(2, 2)], { from: Date.parse(on(1)), now: Date.parse(on(3)) });
  assert.deepEqual(burn.days, ["2026-11-01", "2026-11-02", "2026-11-03"]);
  assert.deepEqual(burn.scope, [1, 3, 3]);
  assert.deepEqual(burn.done, [0, 1, 2]);
});

test("days to come are there and say nothing, and no more are drawn than can be", () => {
  const burn = burnUp([done(5, 5)], { from: Date.parse(on(5)), now: Date.parse(on(5)), until: Date.parse(on(7)) });
  assert.deepEqual([burn.days.length, burn.scope, burn.done], [3, [1, null, null], [1, null, null]]);
  assert.ok(burnUp([], { from: 0, now: Date.parse(on(5)) }).days.length <= 401);
});

test("what was canceled counts for nothing", () => {
  const all = ["DONE", "CANCELED", "IN_REVIEW", "TODO"].map((category) => ({ category }));
  assert.deepEqual(progressOf(all), { total: 3, done: 1, live: 1, share: 1 / 3 });
  assert.equal(progressOf([]).share, null);
});

test("what is over comes last, and the rest stays in its order", () => {
  const rows = ["DONE", "TODO", "CANCELED", "IN_REVIEW"].map((category) => ({ category }));
  assert.deepEqual(openFirst(rows).map(({ category }) => category), ["TODO", "IN_REVIEW", "DONE", "CANCELED"]);
});

test("the address says the filters, and nobody is not somebody", () => {
  const filters = filtersOf("?q=a+b&agent=none&cycle=none&label=lbl_1");
  const asked = askedFor(filters);
  assert.deepEqual([asked.query, asked.unassigned, asked.withoutCycle, asked.labelIds], ["a b", true, true, ["lbl_1"]]);
  assert.equal(asked.assignedAgentId, undefined);
  assert.equal(askedFor(filtersOf("")).labelIds, undefined);
});

test("words are looked for in every column, and else what is over stands apart", () => {
  const statuses = [{ category: "TODO" }, { category: "DONE" }];
  assert.equal(columnsFor(statuses, filtersOf("?q=x")).length, 2);
  assert.deepEqual(columnsFor(statuses, filtersOf("?over=1")), [{ category: "DONE" }]);
});

test("a card moves to the column beside it and not beyond the last", () => {
  const columns = [{ status: "a" }, { status: "b" }];
  assert.equal(beside(columns, "a", 1).status, "b");
  assert.equal(beside(columns, "b", 1), null);
  assert.equal(beside(columns, "gone", 1), null);
});

test("only what differs is sent, and what was emptied is cleared", () => {
  const issue = { id: "i", title: "One", description: "Two", expectedOutput: "" };
  const said = (values) => (name) => values[name] ?? "";
  assert.equal(changeOf(issue, said({ title: "One", description: "Two" })), null);
  assert.deepEqual(changeOf(issue, said({ title: "Uno" })), { title: "Uno", clear: ["description"] });
});

test("a name that is being typed is completed where the caret is", () => {
  const field = (value, at = value.length) => ({
    value,
    selectionStart: at,
    selectionEnd: at,
    focus() {},
    setRangeText(text, from, to) {
      this.value = this.value.slice(0, from) + text + this.value.slice(to);
    },
  });
  assert.deepEqual(namingIn(field("ask @wo")), { sign: "@", text: "wo" });
  assert.equal(namingIn(field("mail a@b")), null);
  assert.deepEqual(namingIn(field("see #12 now", 7)), { sign: "#", text: "12" });
  const typed = field("ask @wo please", 7);
  complete(typed, "@worker");
  assert.equal(typed.value, "ask @worker  please");
});

test("runs lie in time as shares of the whole, and the shortest is to be seen", () => {
  const runs = [
    { id: "a", startedAt: on(1), finishedAt: on(2) },
    { id: "b", startedAt: on(3), finishedAt: null },
  ];
  const { bars } = timelineOf(runs, Date.parse(on(3)));
  assert.deepEqual(bars.a, { left: 0, width: 0.5 });
  assert.ok(bars.b.width > 0 && bars.b.left + bars.b.width <= 1.0001);
  assert.equal(lasted(3 * 3_600_000 + 60_000), "3 h 1 min");
});

test("comments are found by all their words, each as it was said last", () => {
  const event = (commentId, preview, actorAgent) => ({ payload: { commentId, preview }, subjectId: "iss_1", createdAt: "2026-11-19T00:00:00Z", actorAgent });
  const comments = commentsIn([event("cmt_1", "Found the Cookie", { profileKey: "worker" }), event("cmt_2", "A cookie"), event("cmt_1", "Looking")]);
  assert.deepEqual(comments.map(({ id, by }) => [id, by]), [["cmt_1", "@worker"], ["cmt_2", "somebody"]]);
  assert.deepEqual(having(comments, "cookie found").map(({ id }) => id), ["cmt_1"]);
  assert.deepEqual(having(comments, "looking"), []);
});

test("whoever an issue is assigned to is named, agents and people", () => {
  const people = [{ user: { id: "usr_1", name: "Ada", handle: "ada" } }, { user: { id: "usr_2", name: null, handle: "grace" } }];
  assert.equal(assignedTo({ assignedAgent: { profileKey: "worker" }, assignees: people }), "@worker, Ada, @grace");
  assert.equal(assignedTo({ assignedAgent: null }), null);
});
