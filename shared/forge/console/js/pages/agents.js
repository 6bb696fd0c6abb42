/** Agents: who is there, what they do, and who has not been heard of. */

import { call } from "../api.js";
import { goTo, h, mark, nothing, when } from "../dom.js";
import { allAgents } from "../names.js";
import { paths } from "../routes.js";
import { counted, plainly, toneOf } from "../words.js";

const LIVE = ["ACTIVE", "WAITING", "STALLED"];
const FIELDS = ["id", "status", "engagementMode", "currentStep", "startedAt", "lastEventAt", "issue", "agent"];
/** Where each stands in the list: whoever needs a look first. */
const ORDER = { STALLED: 0, WAITING: 1, BUSY: 2, ONLINE: 3, OFFLINE: 4 };

export const agentsPage = {
  title: "Agents",
  read: readAgents,
  decide: (answers) => ({ heading: "Agents", parts: { agents: agentsView(answers) } }),
  show: { agents: showAgents },
  ordered: ["agents"],
};

async function readAgents() {
  const [agents, ...lists] = await Promise.all([
    allAgents({ isFresh: true }),
    ...LIVE.map((status) => call("runs.list", { status, limit: 100, fields: FIELDS })),
  ]);
  return { agents, runs: lists.flatMap(({ data }) => data) };
}

function agentsView({ agents, runs }) {
  return agents
    .filter((agent) => !agent.archivedAt)
    .map((agent) =>
      ofAgent(
        agent,
        runs.filter((run) => run.agent?.id === agent.id),
      ),
    )
    .sort((one, other) => ORDER[one.state] - ORDER[other.state] || one.name.localeCompare(other.name));
}

function ofAgent(agent, runs) {
  const shown = runs.map((run) => ({
    id: run.id,
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
  };
}

function showAgents(agents) {
  if (!agents.length) return nothing("No agent is to be seen: there is none, or this key lacks the scope READ_USERS.");
  return h("ul", { class: "rows" }, agents.map(showAgent));
}

function showAgent(agent) {
  return h(
    "li",
    { class: `row tone-${toneOf(agent.state)}` },
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
      agent.state === agent.status ? null : mark(plainly(agent.state), toneOf(agent.state)),
      h("span", null, agent.about),
      h("span", null, counted(agent.runs.length, "live run")),
      h("span", null, agent.load),
      h("span", null, agent.heardAt ? ["heard of ", when(agent.heardAt)] : "never heard of"),
    ),
    agent.runs.length ? h("ul", { class: "plain" }, agent.runs.map(showRun)) : null,
  );
}

function showRun(run) {
  return h(
    "li",
    null,
    mark(plainly(run.status), toneOf(run.status)),
    ` ${plainly(run.mode)} `,
    run.issue ? goTo(run.issue.path, run.issue.text) : null,
    run.step ? ` (${run.step})` : "",
    " ",
    when(run.at),
  );
}
