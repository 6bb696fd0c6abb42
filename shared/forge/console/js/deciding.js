/** Deciding something once: the form, what is told afterwards, and what waits next. */

import { Refused, newOnce } from "./api.js";
import { fill, goTo, h } from "./dom.js";
import { paths } from "./routes.js";
import { readWaiting, sortWaiting } from "./waiting.js";
import { counted } from "./words.js";

/**
 * A field for words, and buttons that act with them. While one acts the others rest, so that a double click is one.
 * @param {{label: string, hint?: string, problem?: string, buttons: Button[]}} asked
 * @typedef {{text: string, tone?: string, asksWhy?: boolean, act: (words: string) => Promise<void>}} Button
 */
export function decisionForm({ label, hint, buttons }, app) {
  const words = h("textarea", { id: "words", rows: "2", "data-draft": "words" });
  const problem = h("p", { class: "trouble", role: "alert", hidden: true });
  const row = h("div", { class: "buttons" });
  const form = { words, problem, row, app, isUnderWay: false };
  row.append(...buttons.map((button) => buttonOf(form, button)));
  return h(
    "div",
    { class: "decision" },
    h("label", { for: "words" }, label),
    words,
    hint ? h("p", { class: "hint" }, hint) : null,
    problem,
    row,
  );
}

function buttonOf(form, button) {
  let isSure = !button.asksWhy;
  const element = h("button", { type: "button", class: button.tone ?? "" }, button.text);
  element.addEventListener("click", () => {
    if (!isSure && !form.words.value.trim()) {
      isSure = true;
      fill(element, `${button.text} without a reason`);
      tell(form, "Say why in a few words: whoever asked gets them.");
      form.words.focus();
      return;
    }
    act(form, () => button.act(form.words.value.trim()));
  });
  return element;
}

/** One at a time, whatever is clicked meanwhile. */
export async function act(form, deed) {
  if (form.isUnderWay) return;
  form.isUnderWay = true;
  setResting(form, true);
  tell(form, "");
  try {
    await deed();
  } catch (refusal) {
    if (!(refusal instanceof Refused)) throw refusal;
    if (refusal.status === 401) return void form.app.signedOut(refusal.message);
    tell(form, [refusal.message, refusal.hint].filter(Boolean).join(" "));
  } finally {
    form.isUnderWay = false;
    setResting(form, false);
  }
}

function setResting(form, isResting) {
  for (const button of form.row.querySelectorAll("button")) button.disabled = isResting;
}

function tell(form, text) {
  form.problem.hidden = !text;
  fill(form.problem, text);
}

/** The name of this very decision: the same for a repetition after a lost answer, another one for other words. */
export function onceFor(memory, tool, given) {
  memory.attempts ??= {};
  return (memory.attempts[JSON.stringify([tool, given])] ??= newOnce());
}

/** Remembers what happened and looks for what waits next; the page then shows both. */
export async function concluded(context, id, text) {
  context.memory.outcome = { text, next: null, left: 0 };
  // They are said now, and no draft any more.
  for (const words of context.app.main.querySelectorAll('[data-draft="words"]')) words.value = "";
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

export function outcomeOf({ text, next, left }) {
  return h(
    "div",
    { class: "outcome", role: "status" },
    h("p", { class: "large" }, text),
    next ? h("p", null, "Next: ", goTo(next.path, next.title)) : h("p", null, "Nothing else waits for you."),
    h("p", null, goTo(paths.inbox, left > 1 ? `All ${counted(left, "thing")} that wait` : "Back to Needs you")),
  );
}
