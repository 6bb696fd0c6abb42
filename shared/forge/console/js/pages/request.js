/** The card of an action request: what is asked, what a yes does, why, who asks, and the buttons. */

import { mayCall } from "../allowed.js";
import { Refused, call, orNothing } from "../api.js";
import { DecisionForm, concluded, onceFor, outcomeOf } from "../deciding.js";
import { facts, goTo, h, mark, nothing, section, upcoming, when } from "../dom.js";
import { markdown } from "../markdown.js";
import { showChanges, showPoll, showSteps } from "./request_parts.js";
import { acceptedText, cardView, statusText } from "../request_card.js";
import { plainly, toneOf, usd } from "../words.js";

export const requestPage = {
  title: "Request",
  read: async ({ id }) => readCard(id),
  decide: (answers, params, memory) => cardView(answers, memory),
  show: {
    outcome: outcomeOf,
    changed: showChanges,
    ask: showAsk,
    effect: showEffect,
    steps: showSteps,
    poll: showPoll,
    why: showWhy,
    facts: showFacts,
    after: (text) => section("Afterwards", h("p", null, text)),
    reading: (text) => nothing(text),
    decision: showDecision,
  },
};

async function readCard(id) {
  const row = (await call("actionRequests.list", { id, include: ["card"] })).data[0];
  if (!row) throw new Refused(404, { message: "There is no such request, or this key can't see it." });
  const spent = { issueId: row.issueId, fields: ["costUsd"], limit: 200 };
  const [results, runs, plan, decide, vote] = await Promise.all([
    row.options ? call("actionRequests.results", { id }) : null,
    row.issueId ? orNothing(call("runs.list", spent), { data: [] }) : null,
    row.sourceType === "execution-plan" ? orNothing(call("executionPlans.get", { id: row.sourceId }), null) : null,
    mayCall("actionRequests.accept"),
    mayCall("actionRequests.vote"),
  ]);
  return { row, results, runs: runs?.data ?? null, plan, may: { decide, vote } };
}

function showAsk({ kind, severity, status, resolution, at }) {
  const isOpen = status === "OPEN";
  return h(
    "div",
    { class: "ask" },
    h(
      "p",
      { class: "about" },
      h("span", null, kind),
      mark(plainly(severity), toneOf(severity)),
      isOpen ? null : mark(statusText(status), toneOf(status)),
    ),
    isOpen
      ? null
      : h("div", { class: "settled" }, markdown(resolution), h("p", { class: "hint" }, "Decided ", when(at))),
  );
}

function showEffect({ effect, payload, since, isOpen }) {
  return section(
    isOpen ? "If you accept" : "What a yes does",
    h("p", { class: "effect" }, effect),
    payload
      ? h(
          "details",
          null,
          h("summary", null, "Exactly what is stored"),
          h("pre", null, JSON.stringify(payload, null, 2)),
        )
      : null,
    since.length
      ? h(
          "div",
          { class: "since" },
          h("strong", null, "Since it was asked"),
          h(
            "ul",
            null,
            since.map((one) => h("li", null, one)),
          ),
        )
      : null,
  );
}

function showWhy({ body, cost, issue }) {
  const spent =
    cost === null ? null : h("p", { class: "hint" }, `${usd(cost)} were spent on ${issue ?? "the issue"} so far.`);
  return section("Why", markdown(body), spent);
}

function showFacts(shown) {
  return section(
    "Who asks",
    facts([
      ["Asked by", h("span", null, shown.by, " ", when(shown.createdAt))],
      ["To decide", shown.to],
      ["Issue", shown.issue && goTo(shown.issue.path, shown.issue.identifier)],
      ["Plan", shown.plan && (shown.plan.path ? goTo(shown.plan.path, shown.plan.title) : shown.plan.title)],
      ["Pipeline", shown.pipeline && goTo(shown.pipeline.path, shown.pipeline.name)],
      ["From", shown.source],
      ["Due", dueOf(shown)],
    ]),
  );
}

/** When an answer is needed, and what happens without one. */
function dueOf({ dueAt, lapsesAt }) {
  if (lapsesAt) return ["Lapses ", upcoming(lapsesAt), ": nobody is asked any more, and the plan stays a draft"];
  return dueAt ? [upcoming(dueAt), "; nothing happens by itself then"] : "Never; nothing happens by itself";
}

function showDecision(form, context) {
  const yes = { text: form.yes, tone: "primary", act: (words) => accept(form, words, context) };
  const no = { text: form.no, tone: "danger", asksWhy: true, act: (words) => decline(form, words, context) };
  const hint = form.refused
    ? `${form.refused} It can no longer be accepted: decline it, and whoever asked can ask anew.`
    : form.isQuestion
      ? "Sending also settles the question."
      : "";
  return h(
    "div",
    { class: form.isPoll ? "" : "sticky" },
    h(DecisionForm, { label: form.label, hint, buttons: form.refused ? [no] : [yes, no], app: context.app }),
  );
}

async function accept(form, words, context) {
  requireSeen(context.memory);
  if (form.isQuestion && !words) throw new Refused(400, { message: "Write your answer first." });
  const given = { id: form.id, shownHash: form.shownHash, resolution: words || undefined };
  try {
    const accepted = await call("actionRequests.accept", given, { once: onceFor(context.memory, "accept", given) });
    const { row } = await readCard(form.id);
    await concluded(context, form.id, acceptedText(row, accepted));
  } catch (refusal) {
    if (refusal.status !== 409) throw refusal;
    await askAgain(form, refusal, context);
  }
}

async function decline(form, words, context) {
  const given = { id: form.id, reason: words || undefined };
  await call("actionRequests.decline", given, { once: onceFor(context.memory, "decline", given) });
  await concluded(context, form.id, "Declined: nothing was changed.");
}

/** The yes was to something that is not so any more: show what is, and why it was refused. */
async function askAgain(form, refusal, context) {
  const { row } = await readCard(form.id);
  if (row.status === "OPEN" && row.shownHash === form.shownHash) context.memory.refused = refusal.message;
  await context.reload();
  context.app.main.querySelector(".changed")?.scrollIntoView({ block: "start" });
  throw refusal;
}

function requireSeen(memory) {
  const isSeen = Object.keys(memory.latest).every((name) => memory.latest[name] === memory.seen[name]);
  if (!isSeen) throw new Refused(409, { message: "It changed while you looked: see above what is new, then decide." });
}
