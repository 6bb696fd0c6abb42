/** A goal: its attempts, the steps of the one that counts, who has them, what they cost, and what waits for a yes. */

import { call, rowsOf } from "../api.js";
import { facts, goTo, h, mark, nothing, section, when } from "../dom.js";
import { markdown } from "../markdown.js";
import { agentNames } from "../names.js";
import { budgetOf, graphSteps, showBudget, showPicture } from "../pictures/goal_pictures.js";
import { paths } from "../routes.js";
import { beginningOf } from "../waiting.js";
import { plainly, toneOf } from "../words.js";

const MOST_STEP_PAGES = 4;
const RUN_FIELDS = ["id", "executionStepId", "startedAt", "finishedAt", "costUsd"];

export const goalPage = {
  title: "Goal",
  read: readGoal,
  decide: goalView,
  show: {
    state: showState,
    waiting: (rows) =>
      section(
        "Waits for a decision",
        h(
          "ul",
          { class: "rows" },
          rows.map((row) => h("li", { class: "row tone-warn" }, goTo(row.path, row.title))),
        ),
      ),
    description: (text) => section("Description", markdown(text)),
    picture: showPicture,
    budget: showBudget,
    steps: showSteps,
    plans: (plans) =>
      section(
        "Earlier attempts",
        h(
          "ul",
          { class: "plain" },
          plans.map((plan) =>
            h("li", null, plan.title, " ", mark(plainly(plan.status), toneOf(plan.status)), ` ${plan.done}`),
          ),
        ),
      ),
    crew: (members) =>
      section(
        "Crew",
        h(
          "ul",
          { class: "plain" },
          members.map(({ who, role }) => h("li", null, `${who}, ${role}`)),
        ),
      ),
  },
};

async function readGoal({ id }) {
  const goal = await call("goals.get", { id });
  const planId = goal.aggregate.activePlanId;
  const fields = ["id", "title", "sourceType", "sourceId"];
  const issueId = goal.issue?.id;
  const [plan, runs, requests, gates, names] = await Promise.all([
    planId ? wholePlan(planId) : null,
    issueId ? rowsOf("runs.list", { issueId, limit: 200, fields: RUN_FIELDS }) : [],
    rowsOf("actionRequests.list", { status: "OPEN", fields }),
    rowsOf("reviewGates.list", { status: "PENDING" }),
    agentNames(),
  ]);
  return { goal, plan, runs, requests, gates, names };
}

/** A long plan comes in parts. */
async function wholePlan(id) {
  const plan = await call("executionPlans.get", { id });
  const steps = [...plan.steps];
  let next = plan.nextOffset;
  for (let page = 1; next && page < MOST_STEP_PAGES; page += 1) {
    const more = await call("executionPlans.get", { id, offset: next });
    steps.push(...more.steps);
    next = more.nextOffset;
  }
  return { ...plan, steps, isCut: Boolean(next) };
}

function goalView({ goal, plan, runs, requests, gates, names }) {
  const planIds = new Set(goal.plans.map(({ id }) => id));
  const targets = new Set([...planIds, ...(plan?.steps ?? []).map(({ id }) => id)]);
  const waiting = [
    ...requests
      .filter((row) => row.sourceType === "execution-plan" && planIds.has(row.sourceId))
      .map((row) => ({ id: row.id, path: paths.request(row.id), title: row.title })),
    ...gates
      .filter((gate) => targets.has(gate.targetId))
      .map((gate) => ({ id: gate.id, path: paths.gate(gate.id), title: beginningOf(gate.prompt) })),
  ];
  const steps = stepsOf(plan, names);
  const drawn = steps?.rows.length ? graphSteps(steps.rows, plan.steps, runs) : null;
  const state = stateOf(goal, plan);
  const earlier = goal.plans.filter(({ id }) => id !== plan?.id);
  return {
    heading: goal.title,
    parts: {
      state,
      waiting: waiting.length ? waiting : null,
      description: goal.description || null,
      picture: drawn && { steps: drawn },
      budget: budgetOf({ ...state, plans: goal.plans, steps: drawn }),
      steps,
      plans: earlier.length
        ? earlier.map((one) => ({
            title: one.title,
            status: one.status,
            done: `${one.doneSteps} of ${one._count.steps} steps done`,
          }))
        : null,
      crew: goal.crew
        ? goal.crew.members.map(({ agentId, role }) => ({ who: names[agentId] ?? agentId, role: plainly(role) }))
        : null,
    },
  };
}

function stateOf(goal, plan) {
  const { totalSteps, doneSteps, blockedSteps } = goal.aggregate;
  return {
    status: goal.status,
    plan: plan?.status ?? null,
    done: totalSteps ? `${doneSteps} of ${totalSteps}` : null,
    share: totalSteps ? doneSteps / totalSteps : null,
    blocked: blockedSteps,
    spent: goal.totalCostUsd,
    most: goal.maxTotalCostUsd ?? plan?.maxTotalCostUsd ?? null,
    minutes: goal.maxWallTimeMinutes,
    issue: goal.issue
      ? { path: paths.issue(goal.issue.identifier), text: `${goal.issue.identifier} ${goal.issue.title}` }
      : null,
    startedAt: goal.startedAt,
    achievedAt: goal.achievedAt,
  };
}

function stepsOf(plan, names) {
  if (!plan) return null;
  const place = new Map(plan.steps.map((step) => [step.id, step.position + 1]));
  const rows = plan.steps.map((step) => ({
    id: step.id,
    number: step.position + 1,
    title: step.title,
    status: step.status,
    who:
      names[step.assignedAgentId] ??
      (step.assignedUserId ? "a person" : step.assignedRole ? plainly(step.assignedRole) : ""),
    after: (step.dependsOnStepIds ?? []).map((id) => place.get(id)).filter(Boolean),
    tries: step.retryCount,
    most: plan.maxStepRetries,
    verdict: step.judgeVerdict?.verdict ?? null,
    judge: judgeOf(step.judgeVerdict, names),
    feedback: step.lastFeedback ?? null,
    gate: step.gateId && step.status !== "DONE" ? paths.gate(step.gateId) : null,
  }));
  return { title: plan.title, isCut: plan.isCut, rows };
}

/** Who judged a step; one who judged their own work is said to have. */
function judgeOf(verdict, names) {
  const name = names[verdict?.judgedByAgentId] ?? null;
  return verdict?.selfJudged ? `${name ?? "its worker"} (own work)` : name;
}

function showState(state) {
  return h(
    "div",
    { class: "ask" },
    h(
      "p",
      { class: "about" },
      mark(plainly(state.status), toneOf(state.status)),
      state.plan ? mark(`plan ${plainly(state.plan)}`, toneOf(state.plan)) : null,
      state.blocked ? mark(`${state.blocked} blocked`, "bad") : null,
    ),
    state.share === null ? null : h("progress", { max: "1", value: String(state.share), "aria-label": "Steps done" }),
    facts([
      ["Steps done", state.done],
      ["Time", state.minutes && `at most ${state.minutes} min an attempt`],
      ["Issue", state.issue && goTo(state.issue.path, state.issue.text)],
      ["Begun", state.startedAt && when(state.startedAt)],
      ["Achieved", state.achievedAt && when(state.achievedAt)],
    ]),
  );
}

function showSteps({ title, rows, isCut }) {
  if (!rows.length) return section("Steps", nothing("The plan has no steps yet."));
  return section(
    "Steps",
    h("p", { class: "hint" }, title),
    h("ol", { class: "steps" }, rows.map(showStep)),
    isCut ? nothing("The plan has more steps than are shown.") : null,
  );
}

function showStep(step) {
  return h(
    "li",
    { class: `row tone-${toneOf(step.status)}` },
    h("div", { class: "what" }, `${step.number}. ${step.title}`),
    h(
      "div",
      { class: "about" },
      mark(plainly(step.status), toneOf(step.status)),
      step.who ? h("span", null, step.who) : null,
      step.after.length ? h("span", null, `after ${step.after.join(", ")}`) : null,
      step.verdict ? mark(`${step.judge ?? "judged"}: ${plainly(step.verdict)}`, toneOf(step.verdict)) : null,
      step.tries ? h("span", null, `attempt ${step.tries + 1} of ${step.most + 1}`) : null,
      step.gate ? goTo(step.gate, "waits at a gate") : null,
    ),
    step.feedback ? h("details", null, h("summary", null, "What the judge said"), markdown(step.feedback)) : null,
  );
}
