/** What the card of an action request shows, decided from the server's answers alone. */

import { paths } from "./routes.js";
import { READING, askOf } from "./waiting.js";
import { costOf, plainly } from "./words.js";

const PLAN = "execution-plan";
const PIPELINE = "pipeline";
/** What a yes is one to: if any of it changes, whoever looks is asked again. */
const BINDING = {
  title: "The question",
  effect: "What a yes does",
  body: "The reasons",
  payload: "What will be set",
  options: "The options",
};

/** @returns {import("./opening.js").View} */
export function cardView({ row, results, runs, plan, may }, memory) {
  const isOpen = row.status === "OPEN";
  const changes = rememberAndCompare(row, memory);
  return {
    heading: row.title,
    parts: {
      outcome: memory.outcome ?? null,
      ask: {
        kind: askOf(row),
        severity: row.severity,
        status: row.status,
        resolution: isOpen ? null : row.resolution,
        at: row.resolvedAt,
      },
      effect: { effect: row.effect, payload: row.payload, since: row.since ?? [], isOpen },
      steps: row.steps?.length ? { planId: row.sourceId, steps: row.steps } : null,
      poll: results ? { ...results, isOpen: isOpen && may.vote && !results.votingClosedAt, id: row.id } : null,
      why: whyOf(row, runs),
      facts: factsOf(row, plan),
      after: isOpen ? continuesAfter(row) : null,
      changed: isOpen && changes.length ? changes : null,
      reading: isOpen && !may.decide ? READING : null,
      decision: isOpen && may.decide
        ? { ...formOf(row), id: row.id, shownHash: row.shownHash, refused: memory.refused ?? null }
        : null,
    },
  };
}

function whyOf({ body, identifier }, runs) {
  const cost = runs ? costOf(runs) : null;
  return body || cost !== null ? { body, cost, issue: identifier ?? null } : null;
}

/** What differs from what was shown when the page was opened, until whoever looks has said that they saw it. */
function rememberAndCompare(row, memory) {
  const now = Object.fromEntries(Object.keys(BINDING).map((name) => [name, asText(row[name])]));
  memory.latest = now;
  memory.seen ??= now;
  return Object.keys(BINDING)
    .filter((name) => memory.seen[name] !== now[name])
    .map((name) => ({ what: BINDING[name], before: memory.seen[name], after: now[name] }));
}

function asText(value) {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function factsOf(row, plan) {
  return {
    by: row.requestedBy ?? "somebody",
    to: row.assignedTo ?? null,
    issue: row.identifier ? { identifier: row.identifier, path: paths.issue(row.identifier) } : null,
    plan: plan ? { title: plan.title, path: plan.goalId ? paths.goal(plan.goalId) : null } : null,
    pipeline: row.sourceType === PIPELINE ? { name: row.sourceId, path: paths.pipeline(row.sourceId) } : null,
    source: ![PLAN, PIPELINE, null].includes(row.sourceType) ? `${row.sourceType} ${row.sourceId ?? ""}` : null,
    createdAt: row.createdAt,
    dueAt: row.dueAt,
    lapsesAt: row.lapsesAt ?? null,
  };
}

/** Who goes on once it is decided. */
function continuesAfter(row) {
  const who = row.requestedBy ?? "whoever asked";
  if (row.sourceType === PLAN)
    return "The plan runs at once, and its first steps go to the crew. A no leaves it a draft.";
  if (row.sourceType === PIPELINE)
    return "The pipeline goes on, or goes back, as soon as its agent asks; your words reach the next agent.";
  const isAgents = Boolean(row.requestedByAgentId);
  if (row.kind !== "FREE_FORM") {
    return isAgents
      ? `The change happens at once. ${who} hears of it if it is at work on the issue. A no changes nothing.`
      : "The change happens at once. A no changes nothing.";
  }
  if (isAgents && row.identifier) return `${who} is woken by your answer, a comment on ${row.identifier}, and goes on.`;
  return "Your answer is kept with the request, where whoever asked looks it up.";
}

/** Which words the form asks for, and what its buttons say. */
function formOf(row) {
  const isQuestion = row.kind === "FREE_FORM" && !row.sourceType && !row.options;
  if (isQuestion) return { label: "Your answer", yes: "Send answer", no: "Decline", isQuestion };
  if (row.options)
    return {
      label: "A word with it (optional)",
      yes: "Accept and close",
      no: "Decline",
      isQuestion: false,
      isPoll: true,
    };
  return { label: "A word with it (the reason, if no)", yes: "Accept", no: "Decline", isQuestion: false };
}

/** What happened, once it has. */
export function acceptedText(row, { dispatched, commentId }) {
  if (row.sourceType === PLAN) return "Accepted: the plan runs.";
  if (dispatched) return `Accepted, and done as asked. ${row.effect}`;
  if (commentId) return `Answered: ${row.requestedBy} is told in a comment on ${row.identifier}.`;
  return "Accepted. Your answer is kept with the request.";
}

export function statusText(status) {
  return { RESOLVED: "Accepted", REJECTED: "Declined" }[status] ?? plainly(status);
}
