/**
 * Opens a page: reads what it needs, decides what is shown, shows it, and keeps it fresh. A page is shown in parts; one
 * that has not changed is not touched, so that nothing moves under a pointer and nothing typed is lost.
 *
 * @typedef {object} Page
 * @property {string} title while it is read
 * @property {(params: any, memory: any) => Promise<any>} read params are what the address says
 * @property {(answers: any, params: any, memory: any) => View} decide
 * @property {Record<string, (data: any, context: Context) => any>} show each part as a component, in the page's order
 * @property {number} [seconds] how often it is read anew, where fifteen is too often
 * @property {string[]} [ordered] parts whose rows stay where they are while somebody points at them
 * @property {string[]} [aside] parts that stand beside the others where there is room
 * @property {boolean} [wide] whether it takes all the room there is
 * @property {() => Promise<Page>} [later] of one that is loaded when it is opened: see `later.js`
 *
 * @typedef {{heading: string, title?: string, parts: Record<string, any>}} View
 * @typedef {{params: any, memory: any, reload: () => Promise<void>, app: any, place?: Element | null}} Context `place` is
 * where a card is shown within another page
 * @typedef {{text: string, data: any, offeredAt: number | null}} Shown
 */

import { render } from "../vendor/preact.js";
import { h } from "./dom.js";
import { bringDrafts, keepDrafts } from "./drafts.js";
import { keepFresh } from "./live.js";
import { PageView } from "./parts.js";

const FRESH_SECONDS = 15;
/** So long at most what came meanwhile waits for whoever points at a list. */
const OFFERED_SECONDS = 5;
let openings = 0;

/** @param {Page} page @param {Record<string, string>} params @param {any} app @param {{movesFocus: boolean}} how */
export function openPage(page, params, app, { movesFocus }) {
  openings += 1;
  const opened = {
    page,
    app,
    movesFocus,
    key: openings,
    path: location.pathname,
    components: Object.entries(page.show).map(([name, show]) => ({ name, component: componentOf(show) })),
    /** @type {Map<string, Shown>} */ parts: new Map(),
    heading: page.title,
    /** @type {{text: string, show: () => void} | null} */ news: null,
    /** @type {any} */ trouble: null,
    isOver: false,
    isShown: false,
    isAsked: false,
    patience: 0,
    /** @type {any} */ live: null,
    /** @type {any} */ context: null,
  };
  opened.context = { params, memory: {}, app, reload: () => reload(opened) };
  app.main.classList.toggle("wide", Boolean(page.wide));
  app.titled(page.title);
  draw(opened);
  opened.live = keepFresh(() => load(opened), {
    seconds: page.seconds ?? FRESH_SECONDS,
    trouble: (refusal) => tellTrouble(opened, refusal),
  });
  opened.live.now();
  return { close: () => close(opened), refresh: () => opened.live.now() };
}

/** What shows a part may remember things by hooks. */
function componentOf(/** @type {Page["show"][string]} */ show) {
  return (/** @type {{data: any, context: Context}} */ { data, context }) => show(data, context);
}

function draw(/** @type {any} */ opened) {
  if (!opened.isOver) render(h(PageView, { key: opened.key, opened }), opened.app.main);
}

function close(/** @type {any} */ opened) {
  opened.isOver = true;
  keepDrafts(opened.app.main, opened.path);
  opened.live.stop();
  clearTimeout(opened.patience);
}

/** What a person asked for is shown whatever they point at. */
function reload(/** @type {any} */ opened) {
  opened.isAsked = true;
  return opened.live.now();
}

async function load(/** @type {any} */ opened) {
  const isForced = opened.isAsked;
  opened.isAsked = false;
  const { params, memory } = opened.context;
  const answers = await opened.page.read(params, memory);
  if (opened.isOver) return;
  apply(opened, opened.page.decide(answers, params, memory), { isForced });
}

/** @param {any} opened @param {View} view @param {{isForced: boolean}} how */
function apply(opened, view, { isForced }) {
  opened.app.titled(view.title ?? view.heading);
  clearTimeout(opened.patience);
  const isFirst = !opened.isShown;
  Object.assign(opened, { heading: view.heading, news: null, isShown: true, trouble: null });
  for (const { name } of opened.components) {
    const data = view.parts[name] ?? null;
    const text = JSON.stringify(data);
    const known = opened.parts.get(name);
    if (known?.text === text) continue;
    if (!isForced && known && isUnderHand(opened, name)) {
      offer(opened, known, data, () => apply(opened, view, { isForced: true }));
      continue;
    }
    opened.parts.set(name, { text, data, offeredAt: null });
  }
  draw(opened);
  opened.app.shown();
  if (isFirst) bringDrafts(opened.app.main, opened.path);
  if (isFirst && opened.movesFocus) opened.app.main.querySelector("h1").focus();
}

/** @param {any} opened @param {string} name */
function isUnderHand(opened, name) {
  if (!opened.page.ordered?.includes(name)) return false;
  const element = opened.app.main.querySelector(`[data-part="${name}"]`);
  return Boolean(element) && (element.matches(":hover") || element.contains(document.activeElement));
}

/**
 * What came meanwhile waits until it is asked for, or for a few seconds.
 * @param {any} opened @param {Shown} known @param {any} data @param {() => void} show
 */
function offer(opened, known, data, show) {
  known.offeredAt ??= Date.now();
  const left = known.offeredAt + OFFERED_SECONDS * 1000 - Date.now();
  opened.patience = setTimeout(() => opened.isOver || show(), Math.max(0, left));
  const ids = new Set(idsIn(known.data));
  const fresh = idsIn(data).filter((id) => !ids.has(id)).length;
  opened.news = { text: `${fresh ? `${fresh} new` : "This changed"} · show`, show };
}

/** The ids of the rows, however they are grouped. @param {any} data @returns {string[]} */
function idsIn(data) {
  if (Array.isArray(data)) return data.flatMap(idsIn);
  if (data === null || typeof data !== "object") return [];
  return data.id ? [data.id] : Object.values(data).flatMap(idsIn);
}

/** @param {any} opened @param {any} refusal null where all is well again */
function tellTrouble(opened, refusal) {
  if (opened.isOver || (!refusal && !opened.trouble)) return;
  if (refusal?.status === 401) return void opened.app.signedOut(refusal.message);
  if (refusal && !(refusal.status >= 0)) console.error(refusal);
  opened.trouble = refusal;
  draw(opened);
  opened.app.shown();
  if (refusal && !opened.isShown && opened.movesFocus) opened.app.main.querySelector("h1").focus();
}
