/** What can be done to something, as buttons beside it. */

import { h } from "../dom.js";
import { openAct } from "./dialogs.js";

/**
 * @param {{acts: import("./dialogs.js").Act[], row: any, name: string, context: any, suggestions?: Record<string, import("./forms.js").Option[]>}} given
 * `acts` are those that whoever looks may do
 */
export function ActButtons({ acts, row, name, context, suggestions = {} }) {
  return acts.map((act) =>
    h(
      "button",
      { type: "button", key: act.text, class: `small ${act.tone ?? ""}`, "aria-label": `${act.text}: ${name}`, onclick: () => openAct(act, row, context, suggestions) },
      act.text,
    ),
  );
}
