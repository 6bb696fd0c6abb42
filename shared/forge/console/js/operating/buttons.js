/** What can be done to something, as buttons beside it. */

import { h } from "../dom.js";
import { openAct } from "./dialogs.js";

/**
 * @param {{acts: import("./dialogs.js").Act[], row: any, name?: string, context: any, suggestions?: Record<string, import("./forms.js").Option[]>}} given
 * `acts` are those that whoever looks may do, `name` is whose they are among others
 */
export function ActButtons({ acts, row, name = "", context, suggestions = {} }) {
  return acts.map((act) =>
    h(
      "button",
      {
        type: "button",
        key: act.text,
        class: `${name ? "small " : ""}${act.tone ?? ""}`,
        "aria-label": name ? `${act.text}: ${name}` : undefined,
        onclick: () => openAct(act, row, context, suggestions),
      },
      act.text,
    ),
  );
}
