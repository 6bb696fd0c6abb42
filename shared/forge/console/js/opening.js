/**
 * Opens a page: reads what it needs, decides what is shown, shows it, and keeps it fresh. A page is shown in parts; one
 * that has not changed is not touched, so that nothing moves under a pointer and nothing typed is lost.
 *
 * @typedef {object} Page
 * @property {string} title while it is read
 * @property {(params: Record<string, string>, memory: Record<string, any>) => Promise<any>} read
 * @property {(answers: any, params: Record<string, string>, memory: Record<string, any>) => View} decide
 * @property {Record<string, (data: any, context: Context) => Node | null>} show each part, in the order of the page
 * @property {number} [seconds] how often it is read anew, where fifteen is too often
 * @property {string[]} [ordered] parts whose rows stay where they are while somebody points at them
 *
 * @typedef {{heading: string, title?: string, parts: Record<string, any>}} View
 * @typedef {{params: Record<string, string>, memory: any, reload: () => Promise<void>, app: any}} Context
 */

import { fill, h, keepTime } from "./dom.js";
import { keepFresh } from "./live.js";

const FRESH_SECONDS = 15;
const CLOCK_SECONDS = 10;
/** So long at most what came meanwhile waits for whoever points at a list. */
const OFFERED_SECONDS = 5;

/** @param {Page} page @returns {{close: () => void, refresh: () => void}} */
export function openPage(page, params, app, { movesFocus }) {
  const heading = h("h1", { tabindex: "-1" }, page.title);
  const opened = {
    page,
    app,
    heading,
    slots: new Map(),
    memory: {},
    isOver: false,
    isShown: false,
    isAsked: false,
    movesFocus,
  };
  opened.status = h("div", { class: "status", role: "status" });
  opened.news = h("div", { class: "news", role: "status" });
  opened.body = h("div", { class: "parts" }, h("p", { class: "nothing" }, "Loading…"));
  fill(app.main, heading, opened.status, opened.body, opened.news);
  app.titled(page.title);
  const context = { params, memory: opened.memory, app, reload: () => reload(opened) };
  opened.live = keepFresh(() => load(opened, context), {
    seconds: page.seconds ?? FRESH_SECONDS,
    trouble: (refusal) => tellTrouble(opened, refusal),
  });
  opened.clock = setInterval(() => keepTime(app.main), CLOCK_SECONDS * 1000);
  opened.live.now();
  return { close: () => close(opened), refresh: () => opened.live.now() };
}

function close(opened) {
  opened.isOver = true;
  opened.live.stop();
  clearInterval(opened.clock);
  clearTimeout(opened.patience);
}

/** What a person asked for is shown whatever they point at. */
function reload(opened) {
  opened.isAsked = true;
  return opened.live.now();
}

async function load(opened, context) {
  const isForced = opened.isAsked;
  opened.isAsked = false;
  const answers = await opened.page.read(context.params, opened.memory);
  if (opened.isOver) return;
  const view = opened.page.decide(answers, context.params, opened.memory);
  apply(opened, context, view, { isForced });
}

function apply(opened, context, view, { isForced }) {
  opened.app.titled(view.title ?? view.heading);
  clearTimeout(opened.patience);
  if (opened.heading.textContent !== view.heading) fill(opened.heading, view.heading);
  if (!opened.isShown) layOut(opened);
  fill(opened.news);
  for (const [name, slot] of opened.slots) {
    const data = view.parts[name] ?? null;
    const text = JSON.stringify(data);
    if (slot.text === text) continue;
    if (!isForced && isUnderHand(opened, name, slot)) {
      offer(opened, slot, data, () => apply(opened, context, view, { isForced: true }));
      continue;
    }
    replace(slot, data === null ? null : opened.page.show[name](data, context), data, text);
  }
}

function layOut(opened) {
  opened.isShown = true;
  fill(opened.body);
  for (const name of Object.keys(opened.page.show)) {
    const element = h("div", { class: "part", "data-part": name });
    opened.body.append(element);
    opened.slots.set(name, { element, text: null, data: null });
  }
  if (opened.movesFocus) opened.heading.focus();
}

function isUnderHand(opened, name, { element, text }) {
  if (text === null || !opened.page.ordered?.includes(name)) return false;
  return element.matches(":hover") || element.contains(document.activeElement);
}

/** What came meanwhile waits until it is asked for, or for a few seconds. */
function offer(opened, slot, data, show) {
  slot.offeredAt ??= Date.now();
  const left = slot.offeredAt + OFFERED_SECONDS * 1000 - Date.now();
  opened.patience = setTimeout(() => opened.isOver || show(), Math.max(0, left));
  const known = new Set(idsIn(slot.data));
  const fresh = idsIn(data).filter((id) => !known.has(id)).length;
  const text = fresh ? `${fresh} new` : "This changed";
  fill(opened.news, h("button", { type: "button", onclick: show }, `${text} · show`));
}

/** The ids of the rows, however they are grouped. */
function idsIn(data) {
  if (Array.isArray(data)) return data.flatMap(idsIn);
  if (data === null || typeof data !== "object") return [];
  return data.id ? [data.id] : Object.values(data).flatMap(idsIn);
}

function replace(slot, node, data, text) {
  const drafts = draftsIn(slot.element);
  fill(slot.element, node);
  slot.text = text;
  slot.data = data;
  slot.offeredAt = null;
  restore(slot.element, drafts);
}

/** What somebody has typed, and where they are in it. */
function draftsIn(element) {
  return Array.from(element.querySelectorAll("[data-draft]"), (field) => ({
    name: field.dataset.draft,
    value: field.value,
    isFocused: document.activeElement === field,
    at: field.selectionStart,
  }));
}

function restore(element, drafts) {
  for (const draft of drafts.filter(({ value, isFocused }) => value || isFocused)) {
    const field = Array.from(element.querySelectorAll("[data-draft]")).find((one) => one.dataset.draft === draft.name);
    if (!field) {
      if (draft.value)
        element.append(h("div", { class: "kept" }, h("p", null, "You had typed:"), h("pre", null, draft.value)));
      continue;
    }
    field.value = draft.value;
    if (draft.isFocused) field.focus();
    if (draft.isFocused && field.setSelectionRange) field.setSelectionRange(draft.at, draft.at);
  }
}

function tellTrouble(opened, refusal) {
  if (opened.isOver) return;
  if (!refusal) return void (opened.status.childElementCount && fill(opened.status));
  if (refusal.status === 401) return void opened.app.signedOut(refusal.message);
  if (!(refusal.status >= 0)) console.error(refusal);
  const words = [h("strong", null, refusal.message), refusal.hint && refusal.status !== 404 ? ` ${refusal.hint}` : ""];
  if (opened.isShown) return void fill(opened.status, h("p", { class: "trouble" }, "Not up to date. ", words));
  const again = h("button", { type: "button", onclick: () => opened.live.now() }, "Try again");
  fill(opened.body, h("div", { class: "trouble" }, h("p", null, words), again));
  if (opened.movesFocus) opened.heading.focus();
}
