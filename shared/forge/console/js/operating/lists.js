/** How lists of operators are drawn: their filters, their rows, what can be done to each, and more of them. */

import { serverNow } from "../clock.js";
import { goTo, h, mark, nothing, section, upcoming, when } from "../dom.js";
import { saidIn } from "../fields.js";
import { at } from "../routes.js";
import { plainly, toneOf } from "../words.js";
import { ActButtons } from "./buttons.js";
import { Fields, fieldsOf } from "./forms.js";

/** @typedef {import("./page.js").List} List */

/** More lines than these are folded. */
const MOST_LINES = 3;

/** @param {import("./page.js").Description} description */
export function showAbout(description) {
  return (/** @type {any} */ { makes, suggestions }, /** @type {any} */ context) => {
    const acts = makes.map((/** @type {number} */ place) => description.makes?.[place]);
    return [h("p", { class: "hint" }, description.about), acts.length ? h("div", { class: "buttons" }, h(ActButtons, { acts, row: null, context, suggestions })) : null];
  };
}

/** @param {List} list */
export function showList(list) {
  return (/** @type {any} */ { refused, rows, isCut, suggestions, said }, /** @type {any} */ context) => {
    const filters = list.filters ? h(Filters, { list, said, context }) : null;
    if (refused || !rows.length) return section(list.title, filters, nothing(refused ?? list.empty));
    const ofActs = list.acts ? h("th", { scope: "col" }, h("span", { class: "unseen" }, "What can be done")) : null;
    const head = h("tr", null, list.columns.map(([name]) => h("th", { key: name, scope: "col" }, name)), ofActs);
    const body = rows.map((/** @type {any} */ one) => h(Row, { key: one.id, one, list, context, suggestions }));
    return section(
      list.title,
      filters,
      h("div", { class: "table", tabindex: "0", role: "group", "aria-label": list.title }, h("table", { class: "operated" }, h("thead", null, head), h("tbody", null, body))),
      isCut ? showMore(list, context) : null,
    );
  };
}

/** @param {{list: List, said: Record<string, string>, context: any}} given */
function Filters({ list, said, context }) {
  const labels = list.filters ?? {};
  const look = (/** @type {any} */ event) => {
    event.preventDefault();
    const now = saidIn(event.currentTarget);
    context.app.replacePath(at(location.pathname.replace("/console", ""), Object.fromEntries(Object.keys(labels).map((name) => [name, now(name)]))));
    context.memory.more = {};
    context.reload();
  };
  return h("form", { class: "filters", onsubmit: look, onchange: look }, h(Fields, { fields: fieldsOf(list.tool, Object.keys(labels)), row: said, labels }));
}

/** @param {List} list @param {any} context */
function showMore(list, context) {
  const more = () => {
    context.memory.more[list.title] = (context.memory.more[list.title] ?? 1) + 1;
    context.reload();
  };
  return h("button", { type: "button", class: "more", "aria-label": `Show more of ${list.title}`, onclick: more }, "Show more");
}

/** @param {{one: any, list: List, context: any, suggestions: any}} given */
function Row({ one, list, context, suggestions }) {
  const name = String(one.cells[0].text ?? "");
  const acts = one.acts.map((/** @type {number} */ place) => /** @type {import("./dialogs.js").Act[]} */ (list.acts)[place]);
  return h(
    "tr",
    null,
    one.cells.map((/** @type {import("./page.js").Cell} */ cell, /** @type {number} */ place) => {
      const shown = place === 0 && one.path ? goTo(one.path, cell.text) : h(CellOf, cell);
      return place === 0 ? h("th", { key: place, scope: "row" }, shown) : h("td", { key: place, "data-name": list.columns[place][0] }, shown);
    }),
    list.acts ? h("td", { class: "acts" }, h(ActButtons, { acts, row: one.row, name, context, suggestions })) : null,
  );
}

/** @param {import("./page.js").Cell} cell */
function CellOf({ text, kind }) {
  if (text === null || text === "" || text.length === 0) return h("span", { class: "hint" }, "–");
  if (kind === "time") return Date.parse(text) > serverNow() ? upcoming(text) : when(text);
  if (kind === "mark") return mark(plainly(text), toneOf(text));
  if (kind === "link") return h("a", { href: text, rel: "noopener noreferrer", target: "_blank" }, "Download");
  if (kind === "lines") return h(Lines, { lines: text });
  return kind === "code" ? h("code", null, text) : h("span", null, text);
}

/** @param {{lines: string[]}} given */
function Lines({ lines }) {
  const shown = (/** @type {string[]} */ those) => h("ul", { class: "plain lines" }, those.map((one) => h("li", { key: one }, one)));
  if (lines.length <= MOST_LINES) return shown(lines);
  return [shown(lines.slice(0, MOST_LINES)), h("details", null, h("summary", null, `${lines.length - MOST_LINES} more`), shown(lines.slice(MOST_LINES)))];
}
