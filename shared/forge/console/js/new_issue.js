/** A dialog to write an issue: what, where to, who, and whether it can be taken at once. */

import { useEffect, useRef, useState } from "../vendor/hooks.js";
import { openAbove } from "./above.js";
import { WordsField } from "./completing.js";
import { useDeed } from "./deciding.js";
import { h, trouble } from "./dom.js";
import { PRIORITIES, checkField, choiceField, choicesOf, saidIn, textField } from "./fields.js";
import { theTerms } from "./known.js";
import { allAgents } from "./names.js";
import { paths } from "./routes.js";
import { plainly } from "./words.js";
import { write } from "./writing.js";

/** @typedef {{statusId?: string, projectId?: string, relatesTo?: string}} Preset */

/** @param {any} app @param {Preset} [preset] what it begins with @param {(issue: any) => void} [then] */
export function openNewIssue(app, preset = {}, then = (issue) => app.navigate(paths.issue(issue.identifier))) {
  openAbove({ label: "New issue", tone: "form" }, ({ close }) => h(NewIssue, { app, preset, then, close }));
}

/** @param {{app: any, preset: Preset, then: (issue: any) => void, close: () => void}} given */
function NewIssue({ app, preset, then, close }) {
  const memory = useRef({});
  const text = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const deed = useDeed({ signedOut: (/** @type {string} */ why) => (close(), app.signedOut(why)) });
  const known = useKnown(deed);
  const create = (/** @type {any} */ event) => {
    event.preventDefault();
    const given = orderOf(event.currentTarget);
    deed.act(async () => {
      const issue = await write("issues.create", given, /** @type {any} */ ({ memory: memory.current }));
      close();
      then(issue);
    });
  };
  return h(
    "form",
    { onsubmit: create, class: "newissue" },
    h("h2", null, "New issue"),
    textField("Title", { id: "new-title", name: "title", type: "text", required: true, maxlength: 300, "data-first": true, autocomplete: "off" }),
    h(
      "div",
      { class: "field" },
      h("label", { for: "new-text" }, "Description"),
      h(WordsField, { id: "new-text", name: "description", rows: 6, field: text, placeholder: "Markdown; @ names an agent, # an issue" }),
    ),
    known ? h(Choices, { known, preset }) : null,
    trouble(deed.problem),
    h(
      "div",
      { class: "buttons" },
      h("button", { type: "submit", class: "primary", disabled: deed.isUnderWay }, "Create"),
      h("button", { type: "button", onclick: close }, "Cancel"),
    ),
  );
}

/** What can be chosen, as soon as it was read. @param {any} deed */
function useKnown(deed) {
  const [known, setKnown] = useState(/** @type {any} */ (null));
  useEffect(() => {
    deed.act(async () => {
      const [terms, agents] = await Promise.all([theTerms(), allAgents()]);
      setKnown({ ...terms, agents: agents.filter((one) => !one.archivedAt) });
    });
  }, []);
  return known;
}

/** @param {{known: any, preset: Preset}} given */
function Choices({ known, preset }) {
  const { statuses, projects, labels, agents } = known;
  const open = statuses.filter((/** @type {any} */ one) => !["DONE", "CANCELED"].includes(one.category));
  const urgency = PRIORITIES.map((name) => ({ value: name, text: plainly(name) }));
  const people = agents.map((/** @type {any} */ one) => ({ id: one.id, name: `@${one.profileKey}` }));
  return h(
    "div",
    { class: "fields" },
    choiceField("Status", { id: "new-status", name: "statusId" }, choicesOf("As usual", open), preset.statusId),
    choiceField("Priority", { id: "new-priority", name: "priority" }, urgency, "NONE"),
    choiceField("Project", { id: "new-project", name: "projectId" }, choicesOf("None", projects), preset.projectId),
    choiceField("Agent", { id: "new-agent", name: "assignedAgentId" }, choicesOf("Nobody yet", people)),
    choiceField("Label", { id: "new-label", name: "labelIds" }, choicesOf("None", labels)),
    checkField("Any agent may take it at once", { name: "queue" }),
  );
}

/** What is left empty is left out. @param {HTMLFormElement} form @returns {Record<string, any>} */
function orderOf(form) {
  const said = saidIn(form);
  const texts = ["title", "description", "priority", "statusId", "projectId", "assignedAgentId"];
  return {
    ...Object.fromEntries(texts.map((name) => [name, said(name)]).filter(([, value]) => value)),
    ...(said("labelIds") && { labelIds: [said("labelIds")] }),
    ...(said("queue") && { queue: true }),
  };
}
