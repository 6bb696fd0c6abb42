/** The card of a review gate: what waits there, what each decision does, and the buttons. */

import { mayCall } from "../allowed.js";
import { Refused, call, orNothing } from "../api.js";
import { DecisionForm, concluded, onceFor, outcomeOf } from "../deciding.js";
import { facts, goTo, h, mark, nothing, section, when } from "../dom.js";
import { markdown } from "../markdown.js";
import { agentNames } from "../names.js";
import { paths } from "../routes.js";
import { READING, beginningOf } from "../waiting.js";
import { plainly, toneOf, usd } from "../words.js";

const STEP = "execution-step";
const PLAN = "execution-plan";
const RUN = "gateway-run";
const FEW = 200;

export const gatePage = {
  title: "Review gate",
  read: readGate,
  decide: gateView,
  show: {
    outcome: outcomeOf,
    ask: showAsk,
    effect: ({ yes, no }) =>
      section(
        "If you decide",
        facts([
          ["Approve", yes],
          ["Reject", no],
        ]),
      ),
    why: (text) => section("Why", markdown(text)),
    work: showWork,
    facts: showFacts,
    reading: (text) => nothing(text),
    decision: showDecision,
  },
};

async function readGate({ id }) {
  const { data } = await call("reviewGates.list", { id });
  if (!data.length) throw new Refused(404, { message: "There is no such gate." });
  const [gate] = data;
  const [plan, names, mayDecide] = await Promise.all([planOf(gate), agentNames(), mayCall("reviewGates.resolve")]);
  return { gate, plan, names, mayDecide };
}

/** The plan that waits; of a step, with that step alone. */
async function planOf({ targetType, targetId, planId }) {
  if (!planId) return null;
  const given = targetType === STEP ? { id: planId, stepId: targetId } : { id: planId };
  return orNothing(call("executionPlans.get", given), null);
}

function gateView({ gate, plan, names, mayDecide }, params, memory) {
  const step = plan?.steps.find((one) => one.id === gate.targetId) ?? null;
  const isOpen = gate.status === "PENDING";
  return {
    heading: beginningOf(gate.prompt),
    parts: {
      outcome: memory.outcome ?? null,
      ask: { status: gate.status, resolution: gate.resolution },
      effect: isOpen ? { yes: yesOf(gate, step), no: noOf(gate) } : null,
      why: beyond(gate.prompt),
      work: plan ? workOf(plan, step, names, gate.prompt) : null,
      facts: {
        by: gate.requestedBy ?? "Forge itself",
        createdAt: gate.createdAt,
        role: gate.requiredRole,
        goal: gate.goalId ? paths.goal(gate.goalId) : null,
        issue: gate.issueId ? paths.issue(gate.issueId) : null,
        target: plan || gate.issueId ? null : `${plainly(gate.targetType)} ${gate.targetId}`,
      },
      reading: isOpen && !mayDecide ? READING : null,
      decision: isOpen && mayDecide ? { id: gate.id } : null,
    },
  };
}

/** What is said beyond the line that is the heading. */
function beyond(prompt) {
  const heading = beginningOf(prompt);
  return heading.endsWith("…") ? prompt : prompt.trim().slice(heading.length).trim() || null;
}

function showAsk({ status, resolution }) {
  return h(
    "div",
    { class: "ask" },
    h("p", { class: "about" }, h("span", null, "Review gate"), mark(plainly(status), toneOf(status))),
    resolution ? h("div", { class: "settled" }, markdown(resolution)) : null,
  );
}

function yesOf({ targetType }, step) {
  if (targetType === PLAN) return "The plan runs again, with as much again of the budget that it has used up.";
  if (targetType === RUN) return "The gate opens that the run waits for.";
  if (targetType !== STEP) return "Nothing by itself: your decision is kept, and whoever opened the gate reads it.";
  if (step?.status === "REVIEW") return `“${step.title}” is done, judged by you, and what waits for it begins.`;
  if (step?.status === "BLOCKED") return `“${step.title}” is tried anew, with all its retries.`;
  return "A step that is blocked is tried anew, with all its retries; one in review is done, judged by you.";
}

function noOf({ targetType }) {
  if (targetType === RUN) return "A plan is analysed anew; a change that was made is made again.";
  const isOfPlan = targetType === PLAN || targetType === STEP;
  return isOfPlan
    ? "The plan is canceled, its runs end, and its goal is open again."
    : "Nothing by itself: your decision is kept.";
}

function workOf(plan, step, names, prompt) {
  const most = plan.maxTotalCostUsd === null ? "" : ` of at most ${usd(plan.maxTotalCostUsd)}`;
  return {
    plan: plan.title,
    status: plan.status,
    cost: `${usd(plan.totalCostUsd)}${most}`,
    done: `${plan.doneSteps} of ${plan._count.steps}`,
    step: step && {
      title: step.title,
      status: step.status,
      tries: step.retryCount + 1,
      who: names[step.assignedAgentId] ?? null,
      feedback: isSaid(step.lastFeedback, prompt) ? null : step.lastFeedback,
    },
  };
}

/** Whether the prompt has it, at least its beginning: what is said once is enough. */
function isSaid(feedback, prompt) {
  return !feedback || prompt.includes(feedback.slice(0, FEW));
}

function showWork({ plan, status, cost, done, step }) {
  return section(
    "What waits",
    facts([
      ["Plan", h("span", null, plan, " ", mark(plainly(status), toneOf(status)))],
      ["Step", step && h("span", null, step.title, " ", mark(plainly(step.status), toneOf(step.status)))],
      ["Worked on by", step?.who],
      ["Attempts", step && String(step.tries)],
      ["Spent", cost],
      ["Steps done", done],
    ]),
    step?.feedback ? h("div", null, h("h3", null, "What the judge said"), markdown(step.feedback)) : null,
  );
}

function showFacts({ by, createdAt, role, goal, issue, target }) {
  return section(
    "Who asks",
    facts([
      ["Opened by", h("span", null, by, " ", when(createdAt))],
      ["For", role ? `those with the role ${role}, owners and admins` : null],
      ["Goal", goal && goTo(goal, "See the goal and its plan")],
      ["Issue", issue && goTo(issue, "See the issue")],
      ["About", target],
      ["Due", "Never; nothing happens by itself"],
    ]),
  );
}

function showDecision({ id }, context) {
  const resolve = (decision, done) => async (words) => {
    const given = { id, decision, resolution: words || undefined };
    await call("reviewGates.resolve", given, { once: onceFor(context.memory, "resolve", given) });
    await concluded(context, id, done);
  };
  const buttons = [
    { text: "Approve", tone: "primary", act: resolve("APPROVED", "Approved: it goes on.") },
    { text: "Reject", tone: "danger", asksWhy: true, act: resolve("REJECTED", "Rejected.") },
  ];
  const label = "A word with it (the reason, if no)";
  return h("div", { class: "sticky" }, h(DecisionForm, { label, buttons, app: context.app }));
}
