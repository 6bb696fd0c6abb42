/**
 * What waits for a person: requests, gates, stuck runs, and what goes wrong. What can't wait comes first, then who stands
 * still until somebody decides, then the gravest, then the oldest.
 */

import { call, orNothing, pages } from "./api.js";
import { serverNow } from "./clock.js";
import { agentNames } from "./names.js";
import { paths } from "./routes.js";
import { readTroubles } from "./troubles.js";
import { gravity } from "./words.js";

const MOST_PAGES = 3;
const FIELDS = [
  ...["id", "title", "severity", "kind", "options", "requestedByUserId", "requestedByAgentId", "assignedUserId"],
  ...["assignedAgentId", "sourceType", "issueId", "dueAt", "createdAt", "identifier"],
];
const TITLE = 160;
export const READING = "This key only reads. Sign in with one that may write to decide here.";

/** Two calls for requests: only the server knows who `me` is. */
export async function readWaiting() {
  const open = { status: "OPEN", limit: 100, fields: FIELDS };
  const [mine, all, gates, runs, names, troubles] = await Promise.all([
    pages("actionRequests.list", { ...open, assignedUserId: "me" }, { most: MOST_PAGES }),
    pages("actionRequests.list", open, { most: MOST_PAGES }),
    orNothing(call("reviewGates.list", { status: "PENDING", limit: 100 }), { data: [] }),
    orNothing(call("runs.list", { needsPerson: true, limit: 100 }), { data: [] }),
    agentNames(),
    readTroubles(),
  ]);
  return { mine, all, gates, runs, names, troubles };
}

/** Who stands still: 3 until this is decided, 2 may go on meanwhile, 1 is a person, 0 nobody yet. */
const STANDS_STILL = 3;

/** @param {any} answers @returns {{yours: any[], others: any[], isCut: boolean}} */
export function sortWaiting({ mine, all, gates, runs, names, troubles = [] }) {
  const mineIds = new Set(mine.rows.map((row) => row.id));
  const requests = [...mine.rows, ...all.rows.filter((row) => !mineIds.has(row.id))];
  const rows = [
    ...requests.map((row) => ofRequest(row, mineIds.has(row.id), names)),
    ...gates.data.map(ofGate),
    ...runs.data.map(ofRun),
    ...troubles,
  ].sort(
    (one, other) =>
      Number(canWait(one)) - Number(canWait(other)) ||
      other.heldUp - one.heldUp ||
      gravity(one.severity) - gravity(other.severity) ||
      one.createdAt.localeCompare(other.createdAt),
  );
  return {
    yours: rows.filter((row) => row.isYours),
    others: rows.filter((row) => !row.isYours),
    isCut: mine.isCut || all.isCut || Boolean(gates.nextCursor || runs.nextCursor),
  };
}

function canWait({ severity, isOverdue }) {
  return severity !== "CRITICAL" && !isOverdue;
}

function ofRequest(row, isMine, names) {
  const isNobodys = !row.assignedUserId && !row.assignedAgentId;
  const stops = ["execution-plan", "pipeline"].includes(row.sourceType);
  return {
    card: row.sourceType === "execution-plan" ? null : "request",
    heldUp: stops ? STANDS_STILL : row.requestedByAgentId ? 2 : 1,
    holds: stops ? (row.sourceType === "pipeline" ? "a pipeline" : "a plan") : null,
    id: row.id,
    path: paths.request(row.id),
    title: row.title,
    severity: row.severity,
    kind: askOf(row),
    about: row.identifier ?? "",
    by: names[row.requestedByAgentId] ?? (row.requestedByUserId ? "a person" : "somebody"),
    createdAt: row.createdAt,
    dueAt: row.dueAt,
    isOverdue: Boolean(row.dueAt) && Date.parse(row.dueAt) < serverNow(),
    isYours: isMine || isNobodys,
    isMine,
  };
}

function ofGate(gate) {
  const isOfPlan = ["execution-plan", "execution-step"].includes(gate.targetType);
  return {
    card: "gate",
    heldUp: isOfPlan || gate.targetType === "gateway-run" ? STANDS_STILL : 1,
    holds: isOfPlan ? "a plan" : null,
    id: gate.id,
    path: paths.gate(gate.id),
    title: beginningOf(gate.prompt),
    severity: "WARNING",
    kind: "Review gate",
    about: "",
    by: gate.requestedBy ?? "Forge itself",
    createdAt: gate.createdAt,
    dueAt: null,
    isYours: true,
    isMine: false,
  };
}

function ofRun(run) {
  const isWaiting = run.status === "WAITING";
  return {
    card: "run",
    heldUp: STANDS_STILL,
    holds: run.agent ? `@${run.agent.profileKey}` : "an agent",
    id: run.id,
    path: paths.run(run.id),
    title: beginningOf((isWaiting && run.currentStep) || run.issue.title),
    severity: "WARNING",
    kind: isWaiting ? "Agent waits" : "Agent stalled",
    about: run.issue.identifier,
    by: run.agent ? `@${run.agent.profileKey}` : "an agent",
    did: "stuck",
    createdAt: run.finishedAt ?? run.lastEventAt,
    dueAt: null,
    isYours: true,
    isMine: false,
  };
}

/** What kind of answer is asked for, in two words. */
export function askOf({ kind, options, sourceType }) {
  if (sourceType === "execution-plan") return "Approve a plan";
  if (sourceType === "pipeline") return "Pipeline checkpoint";
  if (options?.length) return "Choose an option";
  const asks = {
    FREE_FORM: "Question",
    TRANSITION: "Move an issue",
    SET_LABELS: "Change labels",
    ASSIGN: "Assign people",
    ASSIGN_AGENT: "Assign an agent",
    ARCHIVE: "Archive an issue",
    CLOSE_AS_DUPLICATE: "Close a duplicate",
  };
  return asks[kind] ?? kind;
}

/** The first line of a longer text. */
export function beginningOf(text) {
  const line = text.trim().split("\n", 1)[0];
  return line.length > TITLE ? `${line.slice(0, TITLE)}…` : line;
}
