/** A pipeline: how far it is, what it waits for and the answer to it, and its files, one of them open. */

import { call, orNothing, pages } from "../api.js";
import { facts, goTo, h, nothing, section, when } from "../dom.js";
import { EmbeddedCard } from "../embedding.js";
import { markdown } from "../markdown.js";
import { phaseName, phasesOf, showPhases, statusMark } from "../pictures/phase_strip.js";
import { paths } from "../routes.js";
import { sizeOf, usd } from "../words.js";

/** What people look for first, where no file is named. */
const FIRST = ["summary.md", "tasks.md", "design.md", "analysis.md", "request.md"];

export const pipelinePage = {
  title: "Pipeline",
  read: readPipeline,
  decide: (answers, params, memory) => pipelineView(answers, params, memory),
  show: { outcome: showOutcome, state: showState, phases: showPhases, waits: showWaits, files: showFiles, text: showText },
};
const MOST_PAGES = 3;

async function readPipeline({ name, file }) {
  const workspace = `.specs/${name}`;
  const [state, { data }] = await Promise.all([
    call("state_resume_info", { workspace }),
    call("pipeline_list_artifacts", { workspace }),
  ]);
  const names = data.map((one) => one.name);
  const shown = names.includes(file) ? file : FIRST.find((one) => names.includes(one));
  const [text, requestId] = await Promise.all([
    shown ? orNothing(call("pipeline_get_artifact", { workspace, name: shown }), null) : null,
    state.pendingAction?.options ? requestOf(name) : null,
  ]);
  return { state, artifacts: data, shown, text, requestId };
}

/** What people are asked because the pipeline waits, if whoever looks may see it. @param {string} name @returns {Promise<string | null>} */
async function requestOf(name) {
  const asked = { status: "OPEN", limit: 100, fields: ["id", "sourceType", "sourceId"] };
  const { rows } = await pages("actionRequests.list", asked, { most: MOST_PAGES });
  return rows.find(({ sourceType, sourceId }) => sourceType === "pipeline" && sourceId === name)?.id ?? null;
}

function pipelineView({ state, artifacts, shown, text, requestId }, { name }, { told = null }) {
  const waits = state.pendingAction?.options ? state.pendingAction : null;
  return {
    heading: state.specName,
    parts: {
      outcome: told,
      state: {
        status: state.currentPhaseStatus,
        phase: phaseName(state.currentPhase),
        effort: state.effort,
        branch: state.branch,
        tasks: state.totalTasks ? `${state.completedTasks.length} of ${state.totalTasks} done` : null,
        cost: state.totalTokens ? `${state.totalTokens.toLocaleString()} tokens, ~${usd(state.estimatedCostUsd)}` : null,
        error: state.error?.message ?? null,
        updatedAt: state.lastUpdated,
      },
      phases: phasesOf(state),
      waits: waits && { text: waits.present_to_user, options: waits.options, workspace: state.workspace, requestId },
      files: artifacts.map((one) => ({ ...one, path: paths.pipeline(name, one.name), isShown: one.name === shown })),
      text: text && { name: shown, content: text.content, version: text.version },
    },
  };
}

function showState({ status, phase, effort, branch, tasks, cost, error, updatedAt }) {
  return section(
    "Where it is",
    facts([
      ["Phase", h("span", null, phase, " ", statusMark(status))],
      ["Effort", effort],
      ["Branch", branch],
      ["Tasks", tasks],
      ["Took so far", cost],
      ["Went wrong", error],
      ["Changed", when(updatedAt)],
    ]),
  );
}

function showOutcome(told) {
  return h("p", { class: "outcome slim", role: "status" }, told);
}

function showWaits({ text, options, workspace, requestId }, context) {
  const settled = async (/** @type {string} */ outcome) => {
    context.memory.told = `${outcome} The pipeline goes on when its agent next asks.`;
    await context.reload();
  };
  const card = requestId ? h(EmbeddedCard, { card: "request", id: requestId, path: paths.request(requestId), app: context.app, settled, takesFocus: false }) : null;
  const elsewhere = h("p", null, "Whoever may decide answers with ", h("code", null, `forge pipeline answer ${workspace} ${options[0]}`));
  return section("It waits for a person", card ?? [markdown(text), elsewhere]);
}

function showFiles(files) {
  if (!files.length) return nothing();
  const rows = files.map((one) =>
    h(
      "li",
      null,
      one.isShown ? h("strong", null, one.name) : goTo(one.path, one.name),
      ` version ${one.version}, ${sizeOf(one.size)}, `,
      when(one.updatedAt),
    ),
  );
  return section("Files", h("ul", null, ...rows));
}

function showText({ name, content, version }) {
  return section(`${name}, version ${version}`, markdown(content));
}
