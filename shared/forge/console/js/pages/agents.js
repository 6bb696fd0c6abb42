/** Agents: who is there, what they do, and who has not been heard of. */

import { pages } from "../api.js";
import { goTo, h, mark, nothing, when } from "../dom.js";
import { MOST_PAGES } from "../live_runs.js";
import { allAgents } from "../names.js";
import { MAKE, OF_AGENT, OF_RUN } from "../operating/agents.js";
import { ActButtons } from "../operating/buttons.js";
import { may, theViewer } from "../operating/operate.js";
import { paths } from "../routes.js";
import { counted, plainly, toneOf } from "../words.js";

const LIVE = ["ACTIVE", "WAITING", "STALLED"];
const FIELDS = ["id", "status", "engagementMode", "currentStep", "startedAt", "lastEventAt", "issue", "agent"];
/** Where each stands in the list: whoever needs a look first. */
const ORDER = { STALLED: 0, WAITING: 1, BUSY: 2, ONLINE: 3, OFFLINE: 4 };

export const agentsPage = {
  title: "Agents",
  read: readAgents,
  decide: (answers) => ({
    heading: "Agents",
    parts: { make: may(answers.viewer, MAKE.tool) || null, more: answers.isCut || null, agents: { rows: agentsView(answers), handles: handlesOf(answers) } },
  }),
  show: {
    make: (_, context) => h("div", { class: "buttons" }, h(ActButtons, { acts: [MAKE], row: null, context })),
    more: () => h("p", { class: "hint" }, "More runs are live than are shown here."),
    agents: showAgents,
  },
  ordered: ["agents"],
};

async function readAgents() {
  const [agents, viewer, ...lists] = await Promise.all([
    allAgents({ isFresh: true }),
    theViewer(),
    ...LIVE.map((status) => pages("runs.list", { status, limit: 200, fields: FIELDS }, { most: MOST_PAGES })),
  ]);
  return { agents, viewer, runs: lists.flatMap(({ rows }) => rows), isCut: lists.some(({ isCut }) => isCut) };
}

/** To whom an issue may be given. @returns {import("../operating/forms.js").Option[]} */
function handlesOf({ agents }) {
  return agents.filter(({ archivedAt }) => !archivedAt).map(({ profileKey }) => ({ value: profileKey, text: `@${profileKey}` }));
}

function agentsView({ agents, viewer, runs }) {
  return agents
    .filter((agent) => !agent.archivedAt)
    .map((agent) =>
      ofAgent(
        agent,
        runs.filter((run) => run.agent?.id === agent.id),
        (act, row) => may(viewer, act.tool) && (act.when?.(row) ?? true),
        may(viewer, "threads.post"),
      ),
    )
    .sort((one, other) => ORDER[one.state] - ORDER[other.state] || one.name.localeCompare(other.name));
}

function ofAgent(agent, runs, isOffered, mayChat) {
  const shown = runs.map((run) => ({
    id: run.id,
    issueId: run.issue?.id,
    name: run.issue?.identifier ?? "",
    acts: OF_RUN.filter((act) => isOffered(act, { ...run, issueId: run.issue?.id })).map(({ text }) => text),
    status: run.status,
    mode: run.engagementMode,
    step: run.currentStep,
    at: run.lastEventAt ?? run.startedAt,
    issue: run.issue
      ? { path: paths.issue(run.issue.identifier), text: `${run.issue.identifier} ${run.issue.title}` }
      : null,
  }));
  const troubled = LIVE.slice(1)
    .reverse()
    .find((status) => runs.some((run) => run.status === status));
  const heard = [agent.lastHeartbeatAt, ...shown.map(({ at }) => at)].filter(Boolean).sort();
  return {
    id: agent.id,
    handle: `@${agent.profileKey}`,
    name: agent.name,
    status: agent.status,
    state: troubled ?? agent.status,
    about: [plainly(agent.role), agent.provider && plainly(agent.provider), agent.runtime?.name].filter(Boolean).join(", "),
    heardAt: heard.at(-1) ?? null,
    load: `${counted(agent.openIssues, "open issue")}${agent.maxConcurrent ? ` of at most ${agent.maxConcurrent}` : ""}`,
    runs: shown,
    row: agent,
    acts: OF_AGENT.filter((act) => isOffered(act, agent)).map(({ text }) => text),
    chat: mayChat ? paths.chat(agent.profileKey) : null,
    isPaused: agent.autoDispatchEligible === false,
  };
}

function showAgents({ rows, handles }, context) {
  if (!rows.length) return nothing("No agent is to be seen: there is none, or this key lacks the scope READ_USERS.");
  return h("ul", { class: "rows" }, rows.map((agent) => h(AgentRow, { key: agent.id, agent, handles, context })));
}

function AgentRow({ agent, handles, context }) {
  return h(
    "li",
    { class: `row agent tone-${toneOf(agent.state)}` },
    h(
      "div",
      { class: "what" },
      h("strong", null, agent.handle),
      agent.name.toLowerCase() === agent.handle.slice(1) ? null : ` ${agent.name}`,
    ),
    h(
      "div",
      { class: "about" },
      mark(plainly(agent.status), toneOf(agent.status)),
      agent.isPaused ? mark("paused", "warn") : null,
      agent.state === agent.status ? null : mark(plainly(agent.state), toneOf(agent.state)),
      h("span", null, agent.about),
      h("span", null, counted(agent.runs.length, "live run")),
      h("span", null, agent.load),
      h("span", null, agent.heardAt ? ["heard of ", when(agent.heardAt)] : "never heard of"),
    ),
    agent.runs.length ? h("ul", { class: "plain" }, agent.runs.map((run) => h(RunRow, { key: run.id, run, handles, context }))) : null,
    h("div", { class: "about" }, agent.chat ? goTo(agent.chat, "Chat") : null, h(ActButtons, { acts: named(OF_AGENT, agent.acts), row: agent.row, name: agent.handle, context })),
  );
}

function named(acts, texts) {
  return acts.filter(({ text }) => texts.includes(text));
}

function RunRow({ run, handles, context }) {
  return h(
    "li",
    { class: "about" },
    mark(plainly(run.status), toneOf(run.status)),
    h("span", null, plainly(run.mode)),
    run.issue ? goTo(run.issue.path, run.issue.text) : null,
    run.step ? h("span", null, run.step) : null,
    when(run.at),
    h(ActButtons, { acts: named(OF_RUN, run.acts), row: run, name: run.name, context, suggestions: { toProfileKey: handles } }),
  );
}
