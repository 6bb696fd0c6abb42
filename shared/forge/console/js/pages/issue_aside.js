/** What hangs on an issue: related issues, branch and pull requests, and artifacts. */

import { useState } from "../../vendor/hooks.js";
import { Refused, call } from "../api.js";
import { useDeed } from "../deciding.js";
import { elsewhere, facts, goTo, h, mark, nothing, section, trouble, when } from "../dom.js";
import { Adding } from "../fields.js";
import { markdown } from "../markdown.js";
import { plainly, toneOf } from "../words.js";
import { write } from "../writing.js";

const KINDS = [
  ["BLOCKED_BY", "is blocked by"],
  ["BLOCKS", "blocks"],
  ["RELATES_TO", "relates to"],
  ["DUPLICATES", "duplicates"],
];
const TESTS = { true: "passed", false: "failed" };

export function showRelations({ id, may, mayRemove, groups }, context) {
  const deed = useDeed(context.app);
  if (!groups.length && !may) return null;
  const change = (tool, order) => deed.act(async () => (await write(tool, order, context), context.reload()));
  const remove = (row) => () => change("relations.remove", { relationId: row.id });
  const rowOf = (row) =>
    h(
      "li",
      { key: row.id },
      h("span", { class: row.isOpen ? "" : "over" }, goTo(row.path, row.identifier), ` ${row.title}`),
      mayRemove ? h("button", { type: "button", class: "quiet small", "aria-label": `Unlink ${row.identifier}`, onclick: remove(row) }, "×") : null,
    );
  const add = (said) => change("relations.add", { fromIssueId: id, kind: said("kind"), toIssueId: said("to") });
  return section(
    "Related",
    groups.map(({ title, rows }) => h("div", { key: title }, h("h3", null, title), h("ul", { class: "plain" }, rows.map(rowOf)))),
    trouble(deed.problem),
    may
      ? h(
          Adding,
          { name: "Relate", add, isUnderWay: deed.isUnderWay },
          h("select", { name: "kind", "aria-label": "Kind of relation" }, KINDS.map(([value, text]) => h("option", { value }, text))),
          h("input", { name: "to", type: "text", required: true, placeholder: "DEMO-12", "aria-label": "Related issue", autocomplete: "off" }),
        )
      : null,
  );
}

export function showLinked({ id, may, branch, rows }, context) {
  const deed = useDeed(context.app);
  const add = (said) =>
    deed.act(async () => (await write("github.link", { issueId: id, url: said("url"), kind: "IMPLEMENTS" }, context), context.reload()));
  return section(
    "Branch and pull request",
    branch
      ? facts([
          ["Branch", branch.name && h("code", null, branch.name)],
          ["Pull request", branch.pull && goTo(branch.pull.path, `#${branch.pull.number}`)],
          ["Phase", mark(plainly(branch.phase), "live")],
          ["Tests", TESTS[String(branch.tests)] ?? "not said"],
        ])
      : null,
    rows.length ? h("p", { class: "hint" }, "Titles on GitHub are written by whoever may write there.") : null,
    rows.length ? h("ul", { class: "plain" }, rows.map(linkedOf)) : branch ? null : nothing("None that is known here."),
    trouble(deed.problem),
    may
      ? h(
          Adding,
          { name: "Link one on GitHub", add, isUnderWay: deed.isUnderWay },
          h("input", { name: "url", type: "url", required: true, placeholder: "Its address on GitHub", "aria-label": "Address on GitHub" }),
        )
      : null,
  );
}

function linkedOf({ id, url, text, title, state, at }) {
  return h("li", { key: id }, elsewhere(url), ` ${state}, seen `, when(at), h("blockquote", { title: text }, title));
}

export function showArtifacts(rows) {
  return section("Artifacts", h("ul", { class: "plain" }, rows.map(artifactOf)));
}

function artifactOf({ id, title, type, status, summary, at }) {
  return h(
    "li",
    { key: id },
    h("strong", null, title),
    " ",
    mark(plainly(status), toneOf(status)),
    ` ${plainly(type)}, `,
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
