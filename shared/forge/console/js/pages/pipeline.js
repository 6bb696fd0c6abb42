/** A pipeline: how far it is, what it waits for, and its files, one of them open. */

import { call, orNothing } from "../api.js";
import { facts, goTo, h, mark, nothing, section, when } from "../dom.js";
import { markdown } from "../markdown.js";
import { paths } from "../routes.js";
import { plainly, toneOf, usd } from "../words.js";

/** What people look for first, where no file is named. */
const FIRST = ["summary.md", "tasks.md", "design.md", "analysis.md", "request.md"];

export const pipelinePage = {
  title: "Pipeline",
  read: readPipeline,
  decide: pipelineView,
  show: { state: showState, waits: showWaits, files: showFiles, text: showText },
};

async function readPipeline({ name, file }) {
  const workspace = `.specs/${name}`;
  const [state, { data }] = await Promise.all([
    call("state_resume_info", { workspace }),
    call("pipeline_list_artifacts", { workspace }),
  ]);
  const names = data.map((one) => one.name);
  const shown = names.includes(file) ? file : FIRST.find((one) => names.includes(one));
  const text = shown ? await orNothing(call("pipeline_get_artifact", { workspace, name: shown }), null) : null;
  return { state, artifacts: data, shown, text };
}

function pipelineView({ state, artifacts, shown, text }, { name }) {
  const waits = state.pendingAction?.options ? state.pendingAction : null;
  return {
    heading: state.specName,
    parts: {
      state: {
        status: state.currentPhaseStatus,
        phase: state.currentPhase,
        effort: state.effort,
        branch: state.branch,
        tasks: state.totalTasks ? `${state.completedTasks.length} of ${state.totalTasks} done` : null,
        cost: state.totalTokens ? `${state.totalTokens.toLocaleString()} tokens, ~${usd(state.estimatedCostUsd)}` : null,
        error: state.error?.message ?? null,
        updatedAt: state.lastUpdated,
      },
      waits: waits && { text: waits.present_to_user, options: waits.options, workspace: state.workspace },
      files: artifacts.map((one) => ({ ...one, path: paths.pipeline(name, one.name), isShown: one.name === shown })),
      text: text && { name: shown, content: text.content, version: text.version },
    },
  };
}

function showState({ status, phase, effort, branch, tasks, cost, error, updatedAt }) {
  return section(
    "Where it is",
    facts([
      ["Phase", h("span", null, phase, " ", mark(plainly(status), toneOf(status)))],
      ["Effort", effort],
      ["Branch", branch],
      ["Tasks", tasks],
      ["Took so far", cost],
      ["Went wrong", error],
      ["Changed", when(updatedAt)],
    ]),
  );
}

function showWaits({ text, options, workspace }) {
  return section(
    "It waits for a person",
    markdown(text),
    h("p", null, "Answer in ", goTo(paths.inbox, "Needs you"), ", or with ", h("code", null, `forge pipeline answer ${workspace} ${options[0]}`)),
  );
}

function showFiles(files) {
  if (!files.length) return nothing();
  const rows = files.map((one) =>
    h(
      "li",
      null,
      one.isShown ? h("strong", null, one.name) : goTo(one.path, one.name),
      ` version ${one.version}, ${one.size.toLocaleString()} bytes `,
      when(one.updatedAt),
    ),
  );
  return section("Files", h("ul", null, ...rows));
}

function showText({ name, content, version }) {
  return section(`${name}, version ${version}`, markdown(content));
}
