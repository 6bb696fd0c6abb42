/** A card within a list: what has to be seen before one decides, and the same buttons as on its own page. */

import { useEffect, useRef, useState } from "../vendor/hooks.js";
import { Refused } from "./api.js";
import { goTo, h, nothing, trouble } from "./dom.js";
import { gatePage } from "./pages/gate.js";
import { requestPage } from "./pages/request.js";
import { runPage } from "./pages/run.js";

/** @type {Record<string, {page: import("./opening.js").Page, parts: string[]}>} parts that a decision needs, in their order */
const CARDS = {
  request: { page: requestPage, parts: ["changed", "effect", "poll", "why", "reading", "decision"] },
  gate: { page: gatePage, parts: ["effect", "why", "reading", "decision"] },
  run: { page: runPage, parts: ["what", "reading", "decision"] },
};

/**
 * @param {{card: string, id: string, path: string, app: any, settled: (text: string) => Promise<void>, takesFocus?: boolean}} given
 * `settled` is told what happened once it is decided
 */
export function EmbeddedCard({ card, id, path, app, settled, takesFocus = true }) {
  const { page, parts } = CARDS[card];
  const memory = useRef(/** @type {any} */ ({}));
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const [{ view, problem }, set] = useState({ view: /** @type {any} */ (null), problem: "" });
  const read = async () => {
    try {
      const answers = await page.read({ id }, memory.current);
      if (memory.current.outcome) return settled(memory.current.outcome.text);
      set({ view: page.decide(answers, { id }, memory.current), problem: "" });
    } catch (refusal) {
      if (!(refusal instanceof Refused)) throw refusal;
      if (refusal.status === 401) return app.signedOut(refusal.message);
      set({ view: null, problem: refusal.message });
    }
  };
  useEffect(() => {
    read().then(() => takesFocus && /** @type {HTMLElement | null} */ (place.current?.querySelector("textarea"))?.focus());
  }, [id]);
  // What a decision says of its page is said of this place: its words, and what changed.
  const context = { params: { id }, memory: memory.current, reload: read, app, get place() { return place.current; } };
  const shown = parts.filter((name) => view?.parts[name] !== null && view?.parts[name] !== undefined);
  return h(
    "div",
    { class: "embedded", ref: place },
    problem ? trouble(problem) : view ? null : nothing("Loading…"),
    shown.map((name) => h("div", { key: name, class: "part" }, h(Shown, { show: page.show[name], data: view.parts[name], context }))),
    view ? h("p", { class: "hint" }, goTo(path, "Open it whole")) : null,
  );
}

/** What shows a part may remember things by hooks. @param {{show: (data: any, context: any) => any, data: any, context: any}} given */
function Shown({ show, data, context }) {
  return show(data, context);
}
