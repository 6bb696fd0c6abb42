/** An issue: how it stands, who has it, what was said and done; and a field to say something to whoever works on it. */

import { useRef, useState } from "../../vendor/hooks.js";
import { Refused, call, mayCall, newOnce, orNothing } from "../api.js";
import { useDeed } from "../deciding.js";
import { elsewhere, facts, goTo, h, mark, nothing, section, upcoming, when } from "../dom.js";
import { issueView } from "../issue_view.js";
import { markdown } from "../markdown.js";
import { agentNames } from "../names.js";
import { plainly, toneOf, usd } from "../words.js";

const INCLUDED = {
  description: true,
  comments: { limit: 50 },
  relations: true,
  currentRun: true,
  labels: true,
  attachments: true,
};

export const issuePage = {
  title: "Issue",
  read: readIssue,
  decide: issueView,
  show: {
    state: showState,
    waiting: (rows) =>
      section(
        "Waits for a decision",
        h(
          "ul",
          { class: "rows" },
          rows.map(({ path, title }) => h("li", { class: "row" }, goTo(path, title))),
        ),
      ),
    description: (text) => section("Description", markdown(text)),
    comment: showCommentForm,
    timeline: showTimeline,
    artifacts: (rows) => section("Artifacts", h("ul", { class: "plain" }, rows.map(artifactOf))),
    linked: (rows) =>
      section(
        "On GitHub",
        h("p", { class: "hint" }, "Titles there are written by whoever may write there."),
        h("ul", { class: "plain" }, rows.map(linkedOf)),
      ),
  },
  ordered: ["timeline"],
};

async function readIssue({ id }) {
  const issue = await call("issues.get", { id, include: INCLUDED });
  const issueId = issue.id;
  const [runs, artifacts, linked, requests, names, maySay] = await Promise.all([
    call("runs.list", { issueId, limit: 50 }),
    orNothing(call("artifacts.list", { issueId, limit: 50 }), { data: [] }),
    orNothing(call("github.listLinked", { issueId }), { data: [] }),
    orNothing(call("actionRequests.list", { issueId, status: "OPEN", limit: 20 }), { data: [] }),
    agentNames(),
    mayCall("comments.create"),
  ]);
  return {
    issue,
    runs: runs.data,
    artifacts: artifacts.data,
    linked: linked.data,
    requests: requests.data,
    names,
    maySay,
  };
}

function showState(state) {
  return h(
    "div",
    { class: "ask" },
    h(
      "p",
      { class: "about" },
      mark(state.status, toneOf(state.category)),
      mark(plainly(state.priority), toneOf(state.priority)),
      state.isQueued ? mark("queued", "live") : null,
      state.labels.map((label) => mark(label)),
    ),
    facts([
      [
        "Held by",
        state.holder &&
          h("span", null, state.holder.name, state.holder.until ? [", free ", upcoming(state.holder.until)] : null),
      ],
      ["Assigned to", state.assigned],
      [
        "Works on it",
        state.run &&
          h(
            "span",
            null,
            state.run.who,
            `, ${plainly(state.run.mode)}, heard of `,
            when(state.run.heardAt),
            state.run.step ? ` (${state.run.step})` : "",
          ),
      ],
      ["Blocked by", state.blockers.length ? issueLinks(state.blockers) : null],
      ["Blocks", state.blocks.length ? issueLinks(state.blocks) : null],
      ["Project", state.project],
      ["Spent", state.cost === null ? null : usd(state.cost)],
      ["Due", state.dueDate && upcoming(state.dueDate)],
      ["Written", h("span", null, when(state.createdAt), ` by ${state.author}`)],
    ]),
  );
}

function issueLinks(issues) {
  return issues.map(({ path, identifier, title, isOpen }, place) => [
    place ? ", " : "",
    h("span", { class: isOpen ? "" : "over" }, goTo(path, identifier), ` ${title}`),
  ]);
}

function showTimeline(entries) {
  if (!entries.length) return section("What happened", nothing("Nobody has said or done anything yet."));
  return section("What happened", h("ol", { class: "timeline" }, entries.map(entryOf)));
}

function entryOf(entry) {
  const said = entry.isRun
    ? [
        `${entry.who} `,
        mark(`run ${plainly(entry.status)}`, toneOf(entry.status)),
        ` ${plainly(entry.mode)}`,
        entry.cost === null ? "" : `, ${usd(entry.cost)}`,
      ]
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
      when(entry.at),
      entry.isEdited ? h("span", null, "edited") : null,
    ),
    entry.step ? h("p", { class: "hint" }, entry.step) : null,
    markdown(entry.text),
    entry.request ? goTo(entry.request, "See what it asks") : null,
  );
}

function artifactOf({ id, title, type, status, summary, at }) {
  return h(
    "li",
    { key: id },
    h("strong", null, title),
    ` ${plainly(type)}, ${plainly(status)}, `,
    when(at),
    summary ? h("p", { class: "hint" }, summary) : null,
    h(ArtifactText, { id }),
  );
}

/** Read when it is asked for: artifacts are long. */
function ArtifactText({ id }) {
  const [text, setText] = useState(/** @type {any} */ (null));
  const read = async () => {
    if (text) return;
    try {
      const artifact = await call("artifacts.get", { id });
      const rest = artifact.nextOffset ? nothing("The rest is longer than is shown here.") : null;
      setText([markdown(artifact.body) ?? nothing("It is empty."), rest]);
    } catch (refusal) {
      if (!(refusal instanceof Refused)) throw refusal;
      setText([h("p", { class: "trouble" }, refusal.message)]);
    }
  };
  return h("details", { ontoggle: read }, h("summary", null, "Read it"), text);
}

function linkedOf({ url, text, title, state, at }) {
  return h("li", null, elsewhere(url), ` ${state}, seen `, when(at), h("blockquote", { title: text }, title));
}

function showCommentForm({ issueId, example, replies }, context) {
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
      h("textarea", { id: "comment", rows: "3", "data-draft": "comment", ref: body, oninput: anew }),
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
