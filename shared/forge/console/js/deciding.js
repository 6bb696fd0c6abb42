/** Deciding something once: the form, what is told afterwards, and what waits next. */

import { useRef, useState } from "../vendor/hooks.js";
import { Refused, newOnce } from "./api.js";
import { goTo, h, trouble } from "./dom.js";
import { paths } from "./routes.js";
import { readWaiting, sortWaiting } from "./waiting.js";
import { counted } from "./words.js";

/** @typedef {{text: string, tone?: string, asksWhy?: boolean, act: (words: string) => Promise<void>}} Button */

/**
 * A field for words, and buttons that act with them. While one acts the others rest, so that a double click is one.
 * @param {{label: string, hint?: string, buttons: Button[], app: any}} asked
 */
export function DecisionForm({ label, hint, buttons, app }) {
  const field = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const [sure, setSure] = useState("");
  const deed = useDeed(app);
  const press = (/** @type {Button} */ button) => {
    const words = field.current?.value.trim() ?? "";
    if (!button.asksWhy || words || sure === button.text) return void deed.act(() => button.act(words));
    setSure(button.text);
    deed.tell("Say why in a few words: whoever asked gets them.");
    field.current?.focus();
  };
  const shown = buttons.map((button) =>
    h(
      "button",
      { type: "button", key: button.text, class: button.tone ?? "", disabled: deed.isUnderWay, onclick: () => press(button) },
      sure === button.text ? `${button.text} without a reason` : button.text,
    ),
  );
  return h(
    "div",
    { class: "decision" },
    h("label", { for: "words" }, label),
    h("textarea", { id: "words", rows: "2", "data-draft": "words", ref: field }),
    hint ? h("p", { class: "hint" }, hint) : null,
    trouble(deed.problem),
    h("div", { class: "buttons" }, shown),
  );
}

/**
 * One deed at a time, whatever is clicked meanwhile, and what was wrong with the last one.
 * @param {any} app
 */
export function useDeed(app) {
  const isBusy = useRef(false);
  const [{ isUnderWay, problem }, set] = useState({ isUnderWay: false, problem: "" });
  /** @param {() => Promise<any>} deed @returns {Promise<boolean>} whether it was done */
  const act = async (deed) => {
    if (isBusy.current) return false;
    isBusy.current = true;
    set({ isUnderWay: true, problem: "" });
    let wrong = "";
    try {
      await deed();
    } catch (refusal) {
      if (!(refusal instanceof Refused)) throw refusal;
      if (refusal.status === 401) return app.signedOut(refusal.message), false;
      wrong = [refusal.message, refusal.hint].filter(Boolean).join(" ");
    } finally {
      isBusy.current = false;
      set({ isUnderWay: false, problem: wrong });
    }
    return !wrong;
  };
  const tell = (/** @type {string} */ text) => set({ isUnderWay: isBusy.current, problem: text });
  return { isUnderWay, problem, act, tell };
}

/**
 * The name of this very decision: the same for a repetition after a lost answer, another one for other words.
 * @param {any} memory @param {string} tool @param {Record<string, unknown>} given
 */
export function onceFor(memory, tool, given) {
  memory.attempts ??= {};
  return (memory.attempts[JSON.stringify([tool, given])] ??= newOnce());
}

/**
 * Remembers what happened and looks for what waits next; the page then shows both.
 * @param {import("./opening.js").Context} context @param {string} id @param {string} text
 */
export async function concluded(context, id, text) {
  context.memory.outcome = { text, next: null, left: 0 };
  // They are said now, and no draft any more.
  for (const words of (context.place ?? context.app.main).querySelectorAll('[data-draft="words"]')) words.value = "";
  try {
    const { yours } = sortWaiting(await readWaiting());
    const left = yours.filter((row) => row.id !== id);
    context.app.waiting(left.length);
    context.memory.outcome = {
      text,
      next: left[0] ? { path: left[0].path, title: left[0].title } : null,
      left: left.length,
    };
  } catch (refusal) {
    // It is decided all the same, and the inbox will say what is left.
    if (!(refusal instanceof Refused)) throw refusal;
  }
  await context.reload();
}

/** @param {{text: string, next: {path: string, title: string} | null, left: number}} outcome */
export function outcomeOf({ text, next, left }) {
  return h(
    "div",
    { class: "outcome", role: "status" },
    h("p", { class: "large" }, text),
    next ? h("p", null, "Next: ", goTo(next.path, next.title)) : h("p", null, "Nothing else waits for you."),
    h("p", null, goTo(paths.inbox, left > 1 ? `All ${counted(left, "thing")} that wait` : "Back to Needs you")),
  );
}
