/** A cycle: how far it is, its burn-up, and its issues. */

import { mayCallEach } from "../allowed.js";
import { call } from "../api.js";
import { burnUp, progressOf } from "../burnup.js";
import { serverNow } from "../clock.js";
import { useDeed } from "../deciding.js";
import { facts, h, mark, section, trouble, upcoming, when } from "../dom.js";
import { saidIn } from "../fields.js";
import { issueRow, openFirst, showBurnUp, showIssueRows, showProgress, spanOf } from "../issue_rows.js";
import { counted, plainly, toneOf } from "../words.js";
import { write } from "../writing.js";

const MOST_PAGES = 5;
/** What a cycle may become. */
const NEXT = { PLANNED: ["ACTIVE", "Begin"], ACTIVE: ["COMPLETED", "Complete"] };

/** @type {import("../opening.js").Page} */
export const cyclePage = {
  title: "Cycle",
  read: readCycle,
  decide: cycleView,
  show: {
    state: showState,
    burn: showBurnUp,
    issues: showIssues,
  },
  ordered: ["issues"],
};

async function readCycle({ id }) {
  const [first, may] = await Promise.all([
    call("cycles.get", { id, limit: 100 }),
    mayCallEach(["cycles.update", "cycles.plan"]),
  ]);
  const issues = [...first.issues];
  let cursor = first.nextCursor;
  for (let page = 1; cursor && page < MOST_PAGES; page += 1) {
    const more = await call("cycles.get", { id, limit: 100, cursor });
    issues.push(...more.issues);
    cursor = more.nextCursor;
  }
  return { cycle: first, issues, isCut: Boolean(cursor), may };
}

function cycleView({ cycle, issues, isCut, may }) {
  const next = may["cycles.update"] ? (NEXT[cycle.status] ?? null) : null;
  const { id, status, startsAt, endsAt, issueCount } = cycle;
  const [from, until] = [Date.parse(startsAt), Date.parse(endsAt)];
  const hasBegun = serverNow() > from;
  const progress = progressOf(issues.map((one) => one.status));
  return {
    heading: cycle.name,
    parts: {
      state: { id, status, startsAt, endsAt, hasBegun, issueCount, next, progress },
      burn: issues.length && hasBegun ? burnUp(issues.map(spanOf), { from, now: serverNow(), until }) : null,
      issues: { cycleId: id, may: may["cycles.plan"], isCut, rows: openFirst(issues.map(issueRow)) },
    },
  };
}

function showState({ id, status, startsAt, endsAt, hasBegun, issueCount, next, progress }, context) {
  const deed = useDeed(context.app);
  const go = () => deed.act(async () => (await write("cycles.update", { id, status: next[0] }, context), context.reload()));
  return h(
    "div",
    { class: "ask" },
    h("p", { class: "about" }, mark(plainly(status), toneOf(status)), h("span", null, counted(issueCount, "issue"))),
    showProgress(progress),
    facts([
      [hasBegun ? "Began" : "Begins", upcoming(startsAt)],
      ["Ends", status === "COMPLETED" ? when(endsAt) : upcoming(endsAt)],
    ]),
    trouble(deed.problem),
    next ? h("button", { type: "button", disabled: deed.isUnderWay, onclick: go }, next[1]) : null,
  );
}

function showIssues({ cycleId, may, isCut, rows }, context) {
  const deed = useDeed(context.app);
  const plan = (order) => deed.act(async () => (await write("cycles.plan", { cycleId, ...order }, context), context.reload()));
  const add = (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    plan({ issueIds: saidIn(form)("issues").split(/[\s,]+/) }).then((isDone) => isDone && form.reset());
  };
  const remove = (row) =>
    may
      ? h("button", { type: "button", class: "quiet small", "aria-label": `Take ${row.identifier} out`, onclick: () => plan({ removeIssueIds: [row.id] }) }, "×")
      : null;
  return section(
    "Issues",
    may
      ? h(
          "form",
          { class: "inline", onsubmit: add },
          h("input", { name: "issues", type: "text", required: true, placeholder: "DEMO-12, DEMO-13", "aria-label": "Issues to put in" }),
          h("button", { type: "submit", disabled: deed.isUnderWay }, "Put in"),
        )
      : null,
    trouble(deed.problem),
    showIssueRows(rows, { more: remove }),
    isCut ? h("p", { class: "hint" }, "There are more than are shown.") : null,
  );
}
