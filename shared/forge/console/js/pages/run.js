/** The card of a run that is stuck: what its agent waits for or was at, and what a person can do about it. */

import { useRef } from "../../vendor/hooks.js";
import { mayCall } from "../allowed.js";
import { Refused, call } from "../api.js";
import { serverNow } from "../clock.js";
import { DecisionForm, concluded, onceFor, outcomeOf, useDeed } from "../deciding.js";
import { facts, goTo, h, mark, nothing, section, trouble, when } from "../dom.js";
import { markdown } from "../markdown.js";
import { allAgents } from "../names.js";
import { showTimeline, timelineOf } from "../pictures/run_timeline.js";
import { paths } from "../routes.js";
import { READING } from "../waiting.js";
import { plainly, toneOf } from "../words.js";

const EVENT_FIELDS = ["id", "kind", "subjectType", "subjectId", "payload", "createdAt", "actorAgent"];
const DID = { WAITING: "waits", STALLED: "stalled" };
const GO_ON = "Please go on.";

export const runPage = {
  title: "Stuck run",
  read: readRun,
  decide: runView,
  show: {
    outcome: outcomeOf,
    ask: ({ status }) => h("p", { class: "about" }, h("span", null, "Run"), mark(plainly(status), toneOf(status))),
    what: (text) => section("What it says", markdown(text)),
    facts: showFacts,
    reading: (text) => nothing(text),
    decision: showDecision,
    others: showOthers,
    timeline: showTimeline,
  },
};

async function readRun({ id }) {
  const { data } = await call("runs.list", { id });
  if (!data.length) throw new Refused(404, { message: "There is no such run." });
  const [agents, told, done, mayComment, mayGive] = await Promise.all([
    allAgents(),
    call("events.recent", { subjectType: "agent-run", subjectId: id, limit: 50, fields: EVENT_FIELDS }),
    call("events.recent", { subjectType: "issue", subjectId: data[0].issue.id, limit: 100, fields: EVENT_FIELDS }),
    mayCall("comments.create"),
    mayCall("reviewGates.resolve"),
  ]);
  return { run: data[0], events: [...told.data, ...done.data], agents, mayComment, mayGive };
}

function runView({ run, events, agents, mayComment, mayGive }, params, memory) {
  const isStuck = run.status in DID;
  const name = run.agent ? `@${run.agent.profileKey}` : "An agent";
  const others = agents.filter((one) => one.id !== run.agent?.id && !one.archivedAt);
  return {
    heading: `${name} ${DID[run.status] ?? `is ${plainly(run.status)}`} on ${run.issue.title}`,
    parts: {
      outcome: memory.outcome ?? null,
      ask: { status: run.status },
      timeline: timelineOf(run, events, serverNow()),
      what: (run.status === "WAITING" ? run.currentStep : run.summary) ?? null,
      facts: {
        name,
        issue: run.issue,
        isStuck,
        since: run.finishedAt ?? run.lastEventAt,
        startedAt: run.startedAt,
        isOfStep: Boolean(run.executionStepId),
      },
      reading: isStuck && !mayComment ? READING : null,
      decision: isStuck && mayComment ? { id: run.id, issueId: run.issue.id, name } : null,
      others:
        isStuck && mayGive && !run.executionStepId && others.length
          ? { id: run.id, issueId: run.issue.id, status: run.status, name, names: others.map((one) => one.profileKey) }
          : null,
    },
  };
}

function showFacts({ name, issue, isStuck, since, startedAt, isOfStep }) {
  return section(
    isStuck ? "Whose work stands still" : "Whose work it is",
    facts([
      ["Agent", name],
      ["Issue", goTo(paths.issue(issue.identifier), `${issue.identifier} ${issue.title}`)],
      ["Of a plan", isOfStep ? "It is for a step of a plan" : null],
      [isStuck ? "Stuck" : "Heard of", when(since)],
      ["Begun", when(startedAt)],
    ]),
  );
}

function showDecision({ id, issueId, name }, context) {
  const say = (done, usual) => async (words) => {
    if (!words && !usual) throw new Refused(400, { message: "Say what the agent shall know." });
    const given = { issueId, body: `${name} ${words || usual}` };
    await call("comments.create", given, { once: onceFor(context.memory, "answer", given) });
    await concluded(context, id, done);
  };
  const buttons = [
    { text: "Answer", tone: "primary", act: say("Answered: the agent is called, and its run goes on.") },
    { text: "Kick", act: say("Called: the agent is told to go on.", GO_ON) },
  ];
  const hint = "It becomes a comment on the issue that wakes the agent.";
  const label = "Your words for the agent";
  return h("div", { class: "sticky" }, h(DecisionForm, { label, hint, buttons, app: context.app }));
}

/** Somebody else goes on with the issue. */
function showOthers({ id, issueId, status, name, names }, context) {
  const choice = useRef(/** @type {HTMLSelectElement | null} */ (null));
  const deed = useDeed(context.app);
  const give = async () => {
    const toProfileKey = choice.current?.value ?? "";
    const given = { issueId, toProfileKey, rationale: `The run of ${name} is ${plainly(status)}.` };
    await call("issues.reassign", given, { once: onceFor(context.memory, "reassign", given) });
    await concluded(context, id, `@${toProfileKey} goes on with it.`);
  };
  return section(
    "Or give it to another agent",
    h(
      "div",
      { class: "buttons" },
      h(
        "select",
        { "aria-label": "Another agent", ref: choice },
        names.map((one) => h("option", { key: one, value: one }, `@${one}`)),
      ),
      h("button", { type: "button", disabled: deed.isUnderWay, onclick: () => deed.act(give) }, "Reassign"),
    ),
    trouble(deed.problem),
  );
}
