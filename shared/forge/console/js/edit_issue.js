/** A dialog to change what an issue says. */

import { useRef } from "../vendor/hooks.js";
import { openAbove } from "./above.js";
import { WordsField } from "./completing.js";
import { useDeed } from "./deciding.js";
import { h, trouble } from "./dom.js";
import { saidIn, textField } from "./fields.js";
import { write } from "./writing.js";

/** @typedef {{id: string, title: string, description: string, expectedOutput: string}} Said */

/** @param {Said} issue @param {import("./opening.js").Context} context */
export function openEditIssue(issue, context) {
  openAbove({ label: "Edit issue", tone: "form" }, ({ close }) => h(EditIssue, { issue, context, close }));
}

/** @param {{issue: Said, context: import("./opening.js").Context, close: () => void}} given */
function EditIssue({ issue, context, close }) {
  const text = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const deed = useDeed({ signedOut: (/** @type {string} */ why) => (close(), context.app.signedOut(why)) });
  const save = (/** @type {any} */ event) => {
    event.preventDefault();
    const changed = changeOf(issue, saidIn(event.currentTarget));
    if (!changed) return close();
    deed.act(async () => {
      await write("issues.update", { id: issue.id, ...changed }, context);
      close();
      await context.reload();
    });
  };
  return h(
    "form",
    { onsubmit: save, class: "newissue" },
    h("h2", null, "Edit issue"),
    textField("Title", { id: "edit-title", name: "title", type: "text", required: true, maxlength: 300, defaultValue: issue.title, "data-first": true }),
    h(
      "div",
      { class: "field" },
      h("label", { for: "edit-text" }, "Description"),
      h(WordsField, { id: "edit-text", name: "description", rows: 12, field: text, defaultValue: issue.description }),
    ),
    textField("Expected output", { id: "edit-output", name: "expectedOutput", rows: 2, defaultValue: issue.expectedOutput }),
    trouble(deed.problem),
    h(
      "div",
      { class: "buttons" },
      h("button", { type: "submit", class: "primary", disabled: deed.isUnderWay }, "Save"),
      h("button", { type: "button", onclick: close }, "Cancel"),
    ),
  );
}

/**
 * What differs; what was emptied is cleared. Nothing where nothing does.
 * @param {Said} issue @param {(name: string) => string} said
 */
export function changeOf(issue, said) {
  const names = /** @type {("title" | "description" | "expectedOutput")[]} */ (["title", "description", "expectedOutput"]);
  const changed = names.filter((name) => said(name) !== issue[name].trim());
  if (!changed.length) return null;
  const clear = changed.filter((name) => !said(name));
  const kept = changed.filter((name) => said(name)).map((name) => [name, said(name)]);
  return { ...Object.fromEntries(kept), ...(clear.length && { clear }) };
}
