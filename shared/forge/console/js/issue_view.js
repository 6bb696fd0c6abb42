/** What the page of an issue shows, decided from the server's answers alone. */

import { paths } from "./routes.js";
import { called, costOf, plainly } from "./words.js";

/** All of them are counted. */
const MOST_RUNS = 50;

/** @param {any} answers @returns {import("./opening.js").View} */
export function issueView({ issue, runs, artifacts, linked, requests, names, may, terms, agents, workflow }) {
  const shown = runs.slice(0, MOST_RUNS);
  return {
    heading: `${issue.identifier} ${issue.title}`,
    parts: {
      state: stateOf(issue),
      waiting: requests.length ? requests.map(({ id, title }) => ({ id, path: paths.request(id), title })) : null,
      description: { text: descriptionOf(issue), edit: may["issues.update"] ? editOf(issue) : null },
      timeline: { entries: timelineOf(issue, shown), isCut: Boolean(issue.commentsTruncated) },
      comment: may["comments.create"]
        ? { issueId: issue.id, example: exampleFor(issue), replies: repliesTo(issue), people: handlesIn(issue) }
        : null,
      properties: propertiesOf(issue, runs, names, { may, terms, agents }),
      relations: relationsOf(issue, may),
      runs: runs.length ? { rows: shown.map(runOf), isCut: runs.length > shown.length } : null,
      linked: linkedOf(issue, linked, workflow, may),
      artifacts: artifacts.length ? artifacts.map(artifactOf) : null,
      files: filesOf(issue, may),
    },
  };
}

function stateOf(issue) {
  return {
    status: issue.status.name,
    category: issue.status.category,
    priority: issue.priority,
    isQueued: issue.queued,
    labels: (issue.labels ?? []).map(({ name }) => name),
    isBlocked: Boolean(issue.openBlockers),
  };
}

function editOf({ id, title, description, expectedOutput }) {
  return { id, title, description: description ?? "", expectedOutput: expectedOutput ?? "" };
}

/** Who, when and what it costs; with what can be chosen instead, where whoever looks may. */
function propertiesOf(issue, runs, names, { may, terms, agents }) {
  const run = issue.currentRun;
  return {
    id: issue.id,
    may,
    values: {
      statusId: issue.statusId,
      priority: issue.priority,
      agentId: issue.assignedAgentId ?? "",
      projectId: issue.projectId ?? "",
      cycleId: issue.cycleId ?? "",
      dueDate: issue.dueDate,
      estimate: issue.estimate,
      isQueued: issue.queued,
      labels: (issue.labels ?? []).map(({ id, name }) => ({ id, name })),
    },
    choices: { ...terms, agents: agents.map(({ id, profileKey }) => ({ id, name: `@${profileKey}` })) },
    holder: holderOf(issue, names),
    assigned: assignedTo(issue),
    run: run && {
      who: called(null, run.agent),
      mode: run.engagementMode,
      step: run.currentStep,
      startedAt: run.startedAt,
      heardAt: run.lastEventAt,
    },
    project: issue.project?.name ?? null,
    cost: costOf(runs),
    createdAt: issue.createdAt,
    author: authorOf(issue, names),
  };
}

function authorOf({ author, authorAgentId }, names) {
  const profileKey = (names[authorAgentId] ?? authorAgentId ?? "").replace(/^@/, "");
  return called(author, authorAgentId ? { profileKey } : null);
}

/** Handles of the people who are in it already. */
function handlesIn({ author, comments = [], assignees = [] }) {
  const people = [author, ...comments.map((one) => one.author), ...assignees.map((one) => one.user ?? one)];
  return [...new Set(people.map((one) => one?.handle).filter(Boolean))];
}

const RELATED = { BLOCKED_BY: "Blocked by", BLOCKS: "Blocks", DUPLICATES: "Duplicates", RELATES_TO: "Related to" };
const REVERSED = { BLOCKS: "BLOCKED_BY", BLOCKED_BY: "BLOCKS" };

/** Each issue once for each kind, whichever of the two ends says so. */
function relationsOf({ id, relations = [] }, may) {
  const said = relations.map((one) => {
    const kind = one.direction === "outbound" ? one.kind : (REVERSED[one.kind] ?? one.kind);
    return [`${kind} ${one.issue.id}`, { ...relatedOf(one), kind }];
  });
  const rows = [...new Map(/** @type {any} */ (said)).values()];
  const groups = Object.entries(RELATED).map(([kind, title]) => ({ title, rows: rows.filter((one) => one.kind === kind) }));
  return { id, may: may["relations.add"], mayRemove: may["relations.remove"], groups: groups.filter((one) => one.rows.length) };
}

function relatedOf({ id, issue }) {
  return {
    id,
    identifier: issue.identifier,
    title: issue.title,
    path: paths.issue(issue.identifier),
    isOpen: !["DONE", "CANCELED"].includes(issue.status?.category),
  };
}

function runOf(run) {
  return {
    id: run.id,
    who: called(null, run.agent),
    status: run.status,
    mode: run.engagementMode,
    step: run.finishedAt ? null : run.currentStep,
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    cost: run.costUsd,
    tokens: (run.tokensIn ?? 0) + (run.tokensOut ?? 0) || null,
  };
}

function filesOf({ id, attachments = [] }, may) {
  const rows = attachments.map((one) => ({
    id: one.id,
    url: one.externalUrl ?? one.url ?? null,
    name: one.linkTitle ?? one.filename ?? one.externalUrl,
    isLink: Boolean(one.externalUrl),
    size: one.size ?? 0,
  }));
  return rows.length || may["attachments.attachLink"] ? { id, may: may["attachments.attachLink"], rows } : null;
}

function linkedOf({ id, identifier }, linked, workflow, may) {
  const branch = workflow ? branchOf(workflow, identifier) : null;
  if (!linked.length && !branch && !may["github.link"]) return null;
  return { id, may: may["github.link"], branch, rows: linked.map(linkOf) };
}

function branchOf({ repository, branchName, currentPhase, testsPassed, prNumber }, identifier) {
  const pull = prNumber ? { number: prNumber, path: paths.pull(repository, prNumber, identifier) } : null;
  return { name: branchName, phase: currentPhase, tests: testsPassed, pull };
}

/** Whoever has claimed it, and until when. */
export function holderOf({ claimedById, claimedByAgentId, claimExpiresAt, assignees = [], author }, names) {
  if (!claimedById && !claimedByAgentId) return null;
  const people = [...assignees, author].filter(Boolean);
  const person = people.find(({ id }) => id === claimedById);
  return {
    name: names[claimedByAgentId] ?? (person ? called(person) : claimedByAgentId ? "an agent" : "a person"),
    until: claimExpiresAt ?? null,
  };
}

export function assignedTo({ assignedAgent, assignees = [] }) {
  const people = assignees.map(({ user }) => called(user));
  return [...(assignedAgent ? [called(null, assignedAgent)] : []), ...people].join(", ") || null;
}

function descriptionOf({ description, expectedOutput, verificationChecklist = [] }) {
  const checks = verificationChecklist.map(({ label, done }) => `- ${done ? "☑" : "☐"} ${label}`).join("\n");
  const parts = [
    description,
    expectedOutput && `**Expected**\n\n${expectedOutput}`,
    checks && `**To verify**\n\n${checks}`,
  ];
  return parts.filter(Boolean).join("\n\n") || null;
}

/** What was said and what was run, the latest first. */
function timelineOf({ comments = [] }, runs) {
  const said = comments.map((comment) => ({
    id: comment.id,
    isRun: false,
    isStatus: comment.kind === "STATUS",
    who: called(comment.author, comment.authoringAgent),
    at: comment.updatedAt ?? comment.createdAt,
    isEdited: Boolean(comment.editedAt),
    text: comment.body,
    step: comment.currentStep ?? null,
    confidence: comment.confidence ?? null,
    request: comment.actionRequestId ? paths.request(comment.actionRequestId) : null,
  }));
  const run = runs.map((one) => ({
    id: one.id,
    isRun: true,
    who: called(null, one.agent),
    status: one.status,
    mode: one.engagementMode,
    at: one.finishedAt ?? one.startedAt,
    cost: one.costUsd,
    text: one.summary ?? null,
    step: one.finishedAt ? null : one.currentStep,
  }));
  return [...said, ...run].sort((one, other) => other.at.localeCompare(one.at));
}

function exampleFor({ currentRun, assignedAgent }) {
  const agent = currentRun?.agent ?? assignedAgent;
  return agent
    ? `@${agent.profileKey} in it wakes the agent; @handle calls a person.`
    : "@name wakes an agent or calls a person.";
}

/** Answers that the last comment of an agent offers. */
function repliesTo({ comments = [] }) {
  const newest = [...comments].sort((one, other) => other.createdAt.localeCompare(one.createdAt))[0];
  return newest?.authoringAgent ? (newest.suggestedReplies ?? []) : [];
}

function artifactOf({ id, title, type, status, summary, updatedAt }) {
  return { id, title, type, status, summary, at: updatedAt };
}

function linkOf({ id, kind, externalResource: one }) {
  return {
    id,
    url: one.url,
    title: one.title,
    text: `${plainly(kind)}, not trusted`,
    state: one.state,
    at: one.lastSyncedAt,
  };
}
