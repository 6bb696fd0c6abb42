/** Columns and cards of the board: a card is dragged, moved by Shift and arrows, or by the menu that every card has. */

import { useEffect, useState } from "../../vendor/hooks.js";
import { openAbove } from "../above.js";
import { beside } from "../board_view.js";
import { useDeed } from "../deciding.js";
import { Kept, goTo, h, lasting, mark, nothing, trouble, upcoming, when } from "../dom.js";
import { plainly, toneOf } from "../words.js";
import { write } from "../writing.js";

const KIND = "application/x-forge-issue";

export function showColumns({ columns, statuses, may }, context) {
  const moving = useMoving(context, may["issues.transition"]);
  const [over, setOver] = useState("");
  if (!columns.length) return nothing("Nothing here.");
  return h(
    "div",
    null,
    trouble(moving.problem),
    h("p", { class: "unseen", role: "status" }, moving.told),
    h(
      "div",
      // Another question has other answers: hundreds of cards are taken away at once, and not one after the other.
      { class: "board", key: location.search },
      columns.map((column) => h(Column, { key: column.status, column, columns, statuses, context, moving, over, setOver })),
    ),
  );
}

/** Moves one card at a time, and keeps the focus on it. */
function useMoving(context, isAllowed) {
  const deed = useDeed(context.app);
  const [told, tell] = useState("");
  const { focused } = context.memory;
  useEffect(() => {
    if (!focused) return;
    const card = context.app.main.querySelector(`[data-card="${CSS.escape(focused)}"] .what a`);
    if (document.activeElement === document.body) card?.focus();
  });
  const move = (card, status) => {
    if (!isAllowed || !status || status.id === card.status) return;
    deed.act(async () => {
      context.memory.focused = card.id;
      await write("issues.transition", { id: card.id, statusId: status.id }, context);
      tell(`${card.identifier} is in ${status.name} now.`);
      await context.reload();
    });
  };
  return { isAllowed, move, told, problem: deed.problem };
}

function Column({ column, columns, statuses, context, moving, over, setOver }) {
  const status = { id: column.status, name: column.name };
  const byId = (id) => columns.flatMap(({ rows }) => rows).find((card) => card.id === id);
  const drop = (event) => {
    event.preventDefault();
    setOver("");
    const card = byId(event.dataTransfer.getData(KIND));
    if (card) moving.move(card, status);
  };
  const receives = moving.isAllowed
    ? {
        ondragover: (event) => {
          if (!event.dataTransfer.types.includes(KIND)) return;
          event.preventDefault();
          if (over !== column.status) setOver(column.status);
        },
        ondragleave: (event) => event.currentTarget.contains(event.relatedTarget) || setOver(""),
        ondrop: drop,
      }
    : {};
  const keys = (card) => (event) => {
    const by = event.shiftKey ? { ArrowLeft: -1, ArrowRight: 1 }[event.key] : undefined;
    const to = by && beside(columns, column.status, by);
    if (!to) return;
    event.preventDefault();
    moving.move(card, { id: to.status, name: to.name });
  };
  const cardWith = (card) => showCard(card, moving.isAllowed ? { moving, statuses, keys: keys(card) } : undefined);
  return h(
    "section",
    { class: `column${over === column.status ? " over" : ""}`, "aria-label": column.name, ...receives },
    h("h2", null, mark(column.name, toneOf(column.category)), ` ${column.count}${column.isCounted ? "" : "+"}`),
    column.rows.length
      ? h("ul", null, column.rows.map((card) => h(Kept, { key: card.id, of: card, draw: cardWith })))
      : nothing("Nothing here."),
    column.isCut ? showMore(column, context) : null,
  );
}

/** @param {any} card @param {any} [moves] how it may be moved, if it may */
export function showCard(card, moves) {
  const drag = (event) => {
    event.dataTransfer.setData(KIND, card.id);
    event.dataTransfer.effectAllowed = "move";
  };
  const grip = moves ? { draggable: true, ondragstart: drag, onkeydown: moves.keys } : {};
  const marks = [
    ["URGENT", "HIGH"].includes(card.priority) ? mark(plainly(card.priority), toneOf(card.priority)) : null,
    card.blockers ? mark("blocked", "bad") : null,
    card.isQueued ? mark("queued", "live") : null,
    card.isWaiting ? mark("waits", "warn") : null,
    card.labels.map((label) => h("span", { key: label, class: "label" }, label)),
  ];
  return h(
    "li",
    { key: card.id, class: card.isHeld ? "card held" : "card", "data-card": card.id, ...grip },
    h(
      "div",
      { class: "about" },
      h("span", { class: "identifier" }, card.identifier),
      marks,
      moves ? h(MoveButton, { card, moves }) : null,
    ),
    h("div", { class: "what" }, h("a", { href: card.path, draggable: "false" }, card.title)),
    h(
      "div",
      { class: "about" },
      card.who ? h("span", { class: card.isHeld ? "who busy" : "who" }, card.who) : null,
      card.since ? lasting(card.since) : null,
      card.project ? h("span", null, card.project) : null,
      card.cycle ? h("span", null, card.cycle) : null,
      card.dueDate ? h("span", null, "due ", upcoming(card.dueDate)) : null,
      card.since || card.dueDate ? null : when(card.at),
    ),
  );
}

function MoveButton({ card, moves }) {
  const open = () => openAbove({ label: `Move ${card.identifier}`, tone: "menu-dialog" }, ({ close }) => h(MoveMenu, { card, moves, close }));
  return h("button", { type: "button", class: "quiet more", "aria-label": `Move ${card.identifier}`, onclick: open }, "⋯");
}

function MoveMenu({ card, moves, close }) {
  const choose = (status) => () => {
    close();
    moves.moving.move(card, status);
  };
  const others = moves.statuses.filter(({ id }) => id !== card.status);
  return [
    h("h2", null, `Move ${card.identifier} to`),
    h(
      "div",
      { class: "choices" },
      others.map((status, place) =>
        h("button", { type: "button", key: status.id, "data-first": place === 0, onclick: choose(status) }, status.name),
      ),
    ),
    h("p", { class: "hint" }, h("kbd", null, "Shift"), " and arrows on a card do the same."),
    goTo(card.path, "Open it"),
  ];
}

function showMore({ status, name }, context) {
  const more = () => {
    context.memory.shown[status] = (context.memory.shown[status] ?? 1) + 1;
    return context.reload();
  };
  return h("button", { type: "button", onclick: more, "aria-label": `Show more of ${name}` }, "Show more");
}
