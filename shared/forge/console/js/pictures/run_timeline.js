/** A run from its beginning to its end: what its agent did when, as a strip and as a list. */

import { h, mark, section, when } from "../dom.js";
import { plainly, toneOf, usd } from "../words.js";
import { Scale } from "./lanes.js";
import { lengthOf } from "./spans.js";

/** What an event of the log is called here; others go by their kind. */
const SAID = {
  AGENT_RUN_STARTED: "Began",
  AGENT_RUN_BLOCKED: "Waits",
  AGENT_RUN_KICKED: "Was nudged",
  AGENT_RUN_STALLED: "Stalled",
  AGENT_RUN_COMPLETED: "Ended",
  COMMENT_CREATED: "Commented",
  COMMENT_UPDATED: "Told how far it is",
  ISSUE_STATUS_CHANGED: "Moved the issue",
};
const MOST = 60;
const LEAST_MS = 60_000;

/**
 * What happened in a run, the earliest first: what is told of it, and what its agent did to its issue meanwhile.
 * @param {any} run @param {any[]} events newest first, of the run and of its issue
 */
export function momentsOf(run, events) {
  const ends = run.finishedAt ?? "9";
  const seen = new Set();
  return events
    .filter((event) => {
      const isOwn = event.subjectType === "agent-run" ? event.subjectId === run.id : event.actorAgent?.id === run.agent?.id;
      const isWithin = event.createdAt >= run.startedAt && event.createdAt <= ends;
      return isOwn && isWithin && !seen.has(event.id) && Boolean(seen.add(event.id));
    })
    .sort((one, other) => one.createdAt.localeCompare(other.createdAt))
    .slice(-MOST)
    .map((event) => ({ id: event.id, at: event.createdAt, text: textOf(event) }));
}

/** @param {any} event */
function textOf({ kind, payload }) {
  const name = SAID[kind] ?? plainly(kind).replace(/^./, (first) => first.toUpperCase());
  const more = payload?.reason ?? payload?.statusName ?? payload?.finalStatus;
  return more ? `${name}: ${String(more).slice(0, 200)}` : name;
}

/** @param {any} run @param {any[]} events @param {number} now */
export function timelineOf(run, events, now) {
  const from = Date.parse(run.startedAt);
  const to = Math.max(run.finishedAt ? Date.parse(run.finishedAt) : Math.ceil(now / LEAST_MS) * LEAST_MS, from + LEAST_MS);
  return {
    from,
    to,
    status: run.status,
    isOver: Boolean(run.finishedAt),
    cost: run.costUsd ?? null,
    moments: momentsOf(run, events).map((moment) => ({ ...moment, left: ((Date.parse(moment.at) - from) / (to - from)) * 100 })),
  };
}

/** @param {ReturnType<typeof timelineOf>} timeline */
export function showTimeline({ from, to, status, isOver, cost, moments }) {
  return section(
    "What happened when",
    h("p", { class: "about" }, mark(plainly(status), toneOf(status)), h("span", null, `${isOver ? "took" : "for"} ${lengthOf(to - from)}`), cost === null ? null : h("span", null, usd(cost))),
    h(
      "div",
      { class: "strip", "aria-hidden": "true" },
      h("div", { class: "moments" }, h("span", { class: `lane-bar tone-${toneOf(status)}`, style: { left: 0, width: "100%" } }), moments.map(Mark)),
      h(Scale, { frame: { from, to } }),
    ),
    h("ol", { class: "timeline brief" }, moments.map(({ id, at, text }) => h("li", { key: id }, h("span", null, text), " ", when(at)))),
  );
}

/** @param {{id: string, left: number, text: string}} moment */
function Mark({ id, left, text }) {
  return h("span", { key: id, class: "moment", style: { left: `${left}%` }, title: text });
}
