/** An issue: how it stands, who has it, what was said and done; everything about it can be changed by who may. */

import { useRef, useState } from "../../vendor/hooks.js";
import { mayCallEach } from "../allowed.js";
import { Refused, call, newOnce, orNothing, rowsOf } from "../api.js";
import { WordsField } from "../completing.js";
import { useDeed } from "../deciding.js";
import { goTo, h, mark, nothing, section, when } from "../dom.js";
import { openEditIssue } from "../edit_issue.js";
import { issueView } from "../issue_view.js";
import { theTerms } from "../known.js";
import { markdown } from "../markdown.js";
import { agentNames, allAgents } from "../names.js";
import { plainly, toneOf, usd } from "../words.js";
import { showArtifacts, showLinked, showRelations } from "./issue_aside.js";
import { showFiles } from "./issue_files.js";
import { showProperties } from "./issue_properties.js";
import { showRuns } from "./issue_runs.js";

const INCLUDED = {
  description: true,
  relations: true,
  currentRun: true,
  labels: true,
  attachments: true,
};
/** So many comments are read at first, and so many when the earlier ones are asked for. */
const COMMENTS = { few: 30, most: 100 };
const CHANGES = [
  ...["comments.create", "issues.update", "issues.transition", "issues.assign", "issues.setLabels", "issues.setQueued"],
  ...["relations.add", "relations.remove", "attachments.attachLink", "github.link"],
];

/** @type {import("../opening.js").Page} */
export const issuePage = {
  title: "Issue",
  aside: ["properties", "relations", "runs", "linked", "artifacts", "files"],
  read: readIssue,
  decide: issueView,
  show: {
    state: showState,
    waiting: showWaiting,
    description: showDescription,
    comment: showCommentForm,
    timeline: showTimeline,
    properties: showProperties,
    relations: showRelations,
    runs: showRuns,
    linked: showLinked,
    artifacts: showArtifacts,
    files: showFiles,
  },
  ordered: ["timeline"],
};

async function readIssue({ id }, { comments = COMMENTS.few }) {
  const issue = await call("issues.get", { id, include: { ...INCLUDED, comments: { limit: comments } } });
  const issueId = issue.id;
  const none = { data: [] };
  const [runs, artifacts, linked, requests, names, may, terms, agents, workflow] = await Promise.all([
    rowsOf("runs.list", { issueId }),
    orNothing(call("artifacts.list", { issueId, limit: 50 }), none),
    orNothing(call("github.listLinked", { issueId }), none),
    orNothing(call("actionRequests.list", { issueId, status: "OPEN", limit: 20 }), none),
    agentNames(),
    mayCallEach(CHANGES),
    theTerms(),
    allAgents(),
    workflowOf(issue),
  ]);
  return {
    ...{ issue, names, may, terms, workflow, agents: agents.filter((one) => !one.archivedAt) },
    ...{ runs, artifacts: artifacts.data, linked: linked.data, requests: requests.data },
  };
}

/** Its branch and phase, while somebody has it locked in a repository. */
async function workflowOf({ number, project }) {
  if (!project?.name.includes("/")) return null;
  try {
    const found = await call("get_workflow_status", { repository: project.name, issueNumber: number });
    return found.workflows?.[0] ?? null;
  } catch (refusal) {
    if (refusal instanceof Refused && refusal.status !== 401) return null;
    throw refusal;
  }
}

function showState(state) {
  return h(
    "p",
    { class: "about" },
    mark(state.status, toneOf(state.category)),
    state.priority === "NONE" ? null : mark(plainly(state.priority), toneOf(state.priority)),
    state.isQueued ? mark("queued", "live") : null,
    state.isBlocked ? mark("blocked", "bad") : null,
    state.labels.map((label) => h("span", { key: label, class: "label" }, label)),
  );
}

function showWaiting(rows) {
  const row = ({ id, path, title }) => h("li", { key: id, class: "row tone-warn" }, h("div", { class: "what" }, goTo(path, title)));
  return section("Waits for a decision", h("ul", { class: "rows" }, rows.map(row)));
}

function showDescription({ text, edit }, context) {
  const open = () => openEditIssue(edit, context);
  const button = edit ? h("button", { type: "button", class: "quiet small", "data-key": "e", onclick: open }, "Edit") : null;
  return h(
    "section",
    { class: "sheet" },
    h("div", { class: "titled" }, h("h2", null, "Description"), button),
    markdown(text) ?? nothing("It says no more than its title."),
  );
}

function showTimeline({ entries, isCut }, context) {
  if (!entries.length) return section("What happened", nothing("Nobody has said or done anything yet."));
  return section("What happened", h("ol", { class: "timeline" }, entries.map(entryOf)), isCut ? showEarlier(context) : null);
}

function showEarlier({ memory, reload }) {
  if (memory.comments) return nothing(`Only the newest ${COMMENTS.most} comments are shown.`);
  const read = () => {
    memory.comments = COMMENTS.most;
    reload();
  };
  return h("button", { type: "button", class: "more", onclick: read }, "Show earlier comments");
}

function entryOf(entry) {
  const said = entry.isRun
    ? [`${entry.who} `, mark(`run ${plainly(entry.status)}`, toneOf(entry.status)), ` ${plainly(entry.mode)}`]
    : [
        entry.who,
        entry.isStatus ? [" ", mark("status", "live")] : null,
        entry.confidence ? [" ", mark(`${plainly(entry.confidence)} confidence`)] : null,
      ];
  return h(
    "li",
    { key: entry.id, class: entry.isRun ? "run" : entry.isStatus ? "progress" : "comment" },
    h(
      "p",
      { class: "about" },
      h("span", { class: "who" }, said),
      entry.isRun && entry.cost !== null && entry.cost !== undefined ? h("span", null, usd(entry.cost)) : null,
      when(entry.at),
      entry.isEdited ? h("span", null, "edited") : null,
    ),
    entry.step ? h("p", { class: "hint" }, entry.step) : null,
    markdown(entry.text),
    entry.request ? goTo(entry.request, "See what it asks") : null,
  );
}

function showCommentForm({ issueId, example, replies, people }, context) {
  const body = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const { told, say, anew } = useComment(issueId, example, body, context);
  const reply = (text) => () => {
    if (!body.current) return;
    body.current.value = text;
    body.current.focus();
  };
  const choices = replies.map((text) => h("button", { type: "button", class: "quiet", onclick: reply(text) }, text));
  return section(
    "Comment",
    h(
      "form",
      { class: "decision", onsubmit: say },
      h("label", { for: "comment" }, "Say something"),
      h(WordsField, { id: "comment", rows: 3, "data-draft": "comment", field: body, people, oninput: anew }),
      choices.length ? h("div", { class: "buttons" }, choices) : null,
      h("p", { role: "status", class: "hint" }, told),
      h("div", { class: "buttons" }, h("button", { type: "submit", class: "primary" }, "Comment")),
    ),
  );
}

/** A lost answer may be a comment all the same: the same words again are the same comment, until somebody types. */
function useComment(issueId, example, body, context) {
  const once = useRef(newOnce());
  const deed = useDeed(context.app);
  const [isSaid, setSaid] = useState(false);
  const say = (event) => {
    event.preventDefault();
    if (!body.current?.value.trim()) return void body.current?.focus();
    deed.act(async () => {
      await call("comments.create", { issueId, body: body.current.value }, { once: once.current });
      once.current = newOnce();
      body.current.value = "";
      setSaid(true);
      await context.reload();
    });
  };
  const told = deed.problem ? h("span", { class: "bad" }, deed.problem) : isSaid ? "Said." : example;
  return { told, say, anew: () => (once.current = newOnce()) };
}
