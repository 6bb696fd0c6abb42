/**
 * A page of operators, out of its description: lists with their columns, what can be done to a row, and what can be made.
 * Forms and rights are the tools' own; see `tools.js`.
 *
 * @typedef {import("./dialogs.js").Act} Act
 * @typedef {{text: any, kind?: "time" | "mark" | "code"}} Cell
 * @typedef {[string, (row: any, names: Record<string, string>) => any, ("time" | "mark" | "code")?]} Column
 *
 * @typedef {object} List
 * @property {string} title
 * @property {string} tool
 * @property {(params: any) => Record<string, unknown>} [given]
 * @property {boolean} [paged]
 * @property {(answer: any) => any[]} [rows] where the answer is no list
 * @property {(row: any) => boolean} [shows]
 * @property {Column[]} columns the first names the row
 * @property {(row: any) => string} [leads] the path of a page about it
 * @property {Act[]} [acts] to each row
 * @property {string} empty
 *
 * @typedef {object} Description
 * @property {string} title
 * @property {string} about
 * @property {Act[]} [makes] what can be done by itself
 * @property {List[]} lists
 * @property {Record<string, "agents">} [suggests] for which fields names are offered
 */

import { Refused } from "../api.js";
import { serverNow } from "../clock.js";
import { goTo, h, mark, nothing, section, upcoming, when } from "../dom.js";
import { allAgents } from "../names.js";
import { plainly, toneOf } from "../words.js";
import { ActButtons } from "./buttons.js";
import { openAct } from "./dialogs.js";
import { ask, may, theViewer } from "./operate.js";

const MOST_PAGES = 6;
const PAGE_OF = 50;

/** @param {Description} description @returns {import("../opening.js").Page} */
export function operatorPage(description) {
  const show = Object.fromEntries(description.lists.map((list) => [list.title, showList(list)]));
  return {
    title: description.title,
    wide: true,
    seconds: 30,
    read: (params) => readAll(description, params),
    decide: (answers) => viewOf(description, answers),
    show: { about: showAbout(description), ...show },
    ordered: description.lists.map(({ title }) => title),
  };
}

/** @param {Description} description @param {any} params */
async function readAll(description, params) {
  const [viewer, agents, ...lists] = await Promise.all([
    theViewer(),
    allAgents(),
    ...description.lists.map((list) => readList(list, params)),
  ]);
  // One that may not be seen hides no other; where none may be seen, that is what there is to say.
  if (lists.every((one) => one instanceof Refused)) throw lists[0];
  return { viewer, agents, lists };
}

/** @param {List} list @param {any} params @returns {Promise<any>} */
async function readList(list, params) {
  try {
    const given = list.given?.(params) ?? {};
    const rows = [];
    let cursor;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const answer = await ask(list.tool, list.paged ? { ...given, limit: PAGE_OF, cursor } : given);
      rows.push(...(list.rows ? list.rows(answer) : answer.data));
      cursor = answer.nextCursor;
      if (!cursor || !list.paged) break;
    }
    return { rows, isCut: Boolean(cursor) };
  } catch (refusal) {
    if (refusal instanceof Refused && refusal.status === 403) return refusal;
    throw refusal;
  }
}

/** @param {Description} description @param {{viewer: any, agents: any[], lists: any[]}} answers */
export function viewOf(description, { viewer, agents, lists }) {
  const names = Object.fromEntries(agents.map((agent) => [agent.id, `@${agent.profileKey}`]));
  const handles = agents.filter(({ archivedAt }) => !archivedAt).map(({ profileKey }) => profileKey);
  const suggestions = Object.fromEntries(Object.keys(description.suggests ?? {}).map((field) => [field, handles]));
  const parts = description.lists.map((list, place) => [list.title, partOf(list, lists[place], { viewer, names, suggestions })]);
  const makes = (description.makes ?? []).map((act, place) => ({ place, text: act.text, tone: act.tone ?? "" })).filter(({ place }) => may(viewer, description.makes?.[place].tool ?? ""));
  return { heading: description.title, parts: { about: { makes, suggestions }, ...Object.fromEntries(parts) } };
}

/** @param {List} list @param {any} read @param {{viewer: any, names: Record<string, string>, suggestions: any}} known */
function partOf(list, read, { viewer, names, suggestions }) {
  if (read instanceof Refused) return { refused: read.message, rows: [], suggestions };
  const rows = read.rows.filter((/** @type {any} */ row) => list.shows?.(row) ?? true).map((/** @type {any} */ row, /** @type {number} */ number) => ({
    id: row.id ?? row.name ?? String(number),
    row,
    path: list.leads?.(row) ?? null,
    cells: list.columns.map(([, value, kind]) => ({ text: value(row, names) ?? null, kind })),
    acts: (list.acts ?? []).flatMap((act, place) => (may(viewer, act.tool) && (act.when?.(row) ?? true) ? [place] : [])),
  }));
  return { refused: null, rows, isCut: read.isCut, suggestions };
}

/** @param {Description} description */
function showAbout(description) {
  return (/** @type {any} */ { makes, suggestions }, /** @type {any} */ context) => {
    const buttons = makes.map((/** @type {any} */ { place, text, tone }) => {
      const act = /** @type {Act} */ (description.makes?.[place]);
      return h("button", { type: "button", key: text, class: tone, onclick: () => openAct(act, null, context, suggestions) }, text);
    });
    return [h("p", { class: "hint" }, description.about), buttons.length ? h("div", { class: "buttons" }, buttons) : null];
  };
}

/** @param {List} list */
function showList(list) {
  return (/** @type {any} */ { refused, rows, isCut, suggestions }, /** @type {any} */ context) => {
    if (refused) return section(list.title, nothing(refused));
    if (!rows.length) return section(list.title, nothing(list.empty));
    const head = h("tr", null, list.columns.map(([name]) => h("th", { key: name, scope: "col" }, name)), list.acts ? h("th", { scope: "col" }, h("span", { class: "unseen" }, "What can be done")) : null);
    const body = rows.map((/** @type {any} */ one) => h(Row, { key: one.id, one, list, context, suggestions }));
    return section(
      list.title,
      h("div", { class: "table", tabindex: "0", role: "group", "aria-label": list.title }, h("table", { class: "operated" }, h("thead", null, head), h("tbody", null, body))),
      isCut ? nothing("There are more than are shown.") : null,
    );
  };
}

/** @param {{one: any, list: List, context: any, suggestions: any}} given */
function Row({ one, list, context, suggestions }) {
  const name = String(one.cells[0].text ?? "");
  const acts = one.acts.map((/** @type {number} */ place) => /** @type {Act[]} */ (list.acts)[place]);
  return h(
    "tr",
    null,
    one.cells.map((/** @type {Cell} */ cell, /** @type {number} */ place) => {
      const shown = place === 0 && one.path ? goTo(one.path, cell.text) : h(CellOf, cell);
      return place === 0 ? h("th", { key: place, scope: "row" }, shown) : h("td", { key: place, "data-name": list.columns[place][0] }, shown);
    }),
    list.acts ? h("td", { class: "acts" }, h(ActButtons, { acts, row: one.row, name, context, suggestions })) : null,
  );
}

/** @param {Cell} cell */
function CellOf({ text, kind }) {
  if (text === null || text === "") return h("span", { class: "hint" }, "–");
  if (kind === "time") return Date.parse(text) > serverNow() ? upcoming(text) : when(text);
  if (kind === "mark") return mark(plainly(text), toneOf(text));
  return kind === "code" ? h("code", null, text) : h("span", null, text);
}

