/** What is asked before something is done, and what is told afterwards: above the page, and gone when it is closed. */

import { useRef, useState } from "../../vendor/hooks.js";
import { openAbove } from "../above.js";
import { useDeed } from "../deciding.js";
import { h, trouble } from "../dom.js";
import { Fields, aboutOf, argumentsOf, fieldsOf } from "./forms.js";
import { enact } from "./operate.js";
import { TOOLS } from "./tools.js";

/**
 * Something that can be done, to a row or by itself.
 * @typedef {object} Act
 * @property {string} text
 * @property {string} tool
 * @property {"primary" | "danger"} [tone]
 * @property {(row: any) => Record<string, unknown>} [given] what the form does not ask for
 * @property {string[]} [fields] of its form, in this order; without it nothing is asked for
 * @property {boolean} [fills] whether the form begins with what the row says
 * @property {(row: any) => string} [asks] what is said before it is done; what destroys says it always
 * @property {(row: any) => boolean} [when]
 * @property {boolean} [isOrdered] whether its answer would be a file, so that it is asked to come later
 * @property {(answer: any) => Telling | null} [tells] what is told then
 *
 * @typedef {{text: string, secret?: string, rows?: [string, string][], link?: string | null}} Telling
 */

/** @param {Act} act @param {any} row @param {import("../opening.js").Context} context @param {Record<string, import("./forms.js").Option[]>} suggestions */
export function openAct(act, row, context, suggestions) {
  openAbove({ label: act.text, tone: "act" }, ({ close }) => h(ActDialog, { act, row, context, suggestions, close }));
}

/** @param {{act: Act, row: any, context: import("../opening.js").Context, suggestions: Record<string, import("./forms.js").Option[]>, close: () => void}} given */
function ActDialog({ act, row, context, suggestions, close }) {
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  const [told, setTold] = useState(/** @type {any} */ (null));
  const deed = useDeed(context.app);
  const { fields: known } = TOOLS[act.tool];
  const fields = fieldsOf(act.tool, act.fields);
  const clearable = known.find(({ name }) => name === "clear")?.choices ?? [];
  const shownOf = act.fills ? row : null;
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    const said = new FormData(/** @type {HTMLFormElement} */ (form.current));
    deed.act(async () => {
      const asked = argumentsOf(said, fields, shownOf, { clearable });
      const answer = await enact(act.tool, { ...act.given?.(row), ...asked }, context.memory, act);
      const tells = act.tells?.(answer) ?? null;
      if (tells) setTold(tells);
      else close();
      await context.reload();
    });
  };
  if (told) return h(Told, { title: act.text, told, close });
  return h(
    "form",
    { ref: form, onsubmit: send },
    h("h2", null, act.text),
    h("p", null, act.asks ? act.asks(row) : aboutOf(act.tool)),
    h(Fields, { fields, row: shownOf, suggestions }),
    trouble(deed.problem),
    h(
      "div",
      { class: "buttons" },
      h("button", { class: act.tone === "danger" ? "danger" : "primary", disabled: deed.isUnderWay }, act.text),
      h("button", { type: "button", onclick: close }, "Cancel"),
    ),
  );
}

/** @param {{title: string, told: Telling, close: () => void}} given */
function Told({ title, told, close }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(told.secret ?? "");
    setCopied(true);
  };
  return h(
    "div",
    { role: "status" },
    h("h2", null, title),
    h("p", null, told.text),
    told.secret ? h("pre", { class: "secret", tabindex: "0", "aria-label": "The secret" }, told.secret) : null,
    told.rows?.length ? h("dl", { class: "facts" }, told.rows.map(([name, value]) => h("div", { key: name }, h("dt", null, name), h("dd", null, value)))) : null,
    h(
      "div",
      { class: "buttons" },
      told.link ? h("a", { class: "button primary", href: told.link, rel: "noopener noreferrer", target: "_blank" }, "Download") : null,
      told.secret ? h("button", { type: "button", class: "primary", onclick: copy }, isCopied ? "Copied" : "Copy") : null,
      h("button", { type: "button", onclick: close }, "Close"),
    ),
  );
}
