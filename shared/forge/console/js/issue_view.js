/** What the page of an issue shows, decided from the server's answers alone. */

import { paths } from "./routes.js";
import { called, costOf, plainly } from "./words.js";

/** @returns {import("./opening.js").View} */
export function issueView({ issue, runs, artifacts, linked, requests, names, maySay }) {
  return {
    heading: `${issue.identifier} ${issue.title}`,
    parts: {
      state: stateOf(issue, runs, names),
      waiting: requests.length ? requests.map(({ id, title }) => ({ id, path: paths.request(id), title })) : null,
      description: descriptionOf(issue),
      timeline: timelineOf(issue, runs),
      comment: maySay ? { issueId: issue.id, example: exampleFor(issue), replies: repliesTo(issue) } : null,
      artifacts: artifacts.length ? artifacts.map(artifactOf) : null,
      linked: linked.length ? linked.map(linkedOf) : null,
    },
  };
}

function stateOf(issue, runs, names) {
  const run = issue.currentRun;
  return {
    status: issue.status.name,
    category: issue.status.category,
    priority: issue.priority,
    isQueued: issue.queued,
    labels: (issue.labels ?? []).map(({ name }) => name),
    holder: holderOf(issue, names),
    assigned: assignedTo(issue),
    run: run && {
      who: called(null, run.agent),
      mode: run.engagementMode,
      step: run.currentStep,
      heardAt: run.lastEventAt,
    },
    blockers: related(issue, "BLOCKED_BY", "BLOCKS"),
    blocks: related(issue, "BLOCKS", "BLOCKED_BY"),
    project: issue.project?.name ?? null,
    cost: costOf(runs),
    dueDate: issue.dueDate,
    createdAt: issue.createdAt,
    author: called(
      issue.author,
      issue.authorAgentId
        ? { profileKey: (names[issue.authorAgentId] ?? issue.authorAgentId).replace(/^@/, "") }
        : null,
    ),
  };
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

function assignedTo({ assignedAgent, assignees = [] }) {
  const all = [assignedAgent && called(null, assignedAgent), ...assignees.map((person) => called(person))].filter(
    Boolean,
  );
  return all.join(", ") || null;
}

/** Each issue once, whichever of the two ends says so. */
function related({ relations = [] }, outbound, inbound) {
  const found = relations.filter((one) => one.kind === (one.direction === "outbound" ? outbound : inbound));
  return [...new Map(found.map((one) => [one.issue.id, one])).values()].map(({ issue }) => ({
    identifier: issue.identifier,
    title: issue.title,
    path: paths.issue(issue.identifier),
    isOpen: !["DONE", "CANCELED"].includes(issue.status?.category),
  }));
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

function linkedOf({ id, kind, externalResource: one }) {
  return {
    id,
    url: one.url,
    title: one.title,
    text: `${plainly(kind)}, not trusted`,
    state: one.state,
    at: one.lastSyncedAt,
  };
}
