/** One thing that waits: what it is, who stands still until it is decided, and the card to decide it in place. */

import { useEffect, useState } from "../../vendor/hooks.js";
import { goTo, h, mark, nothing, upcoming, when } from "../dom.js";
import { plainly, toneOf } from "../words.js";

/**
 * @param {any} given `toggle` opens its card, `choose` marks it for several at once, `settled` is told what happened
 */
export function InboxRow({ row, may, context, isOpen, isChosen, choose, toggle, settled }) {
  const isAnswered = row.card && (row.card === "run" ? may["comments.create"] : may["actionRequests.accept"]);
  const isChoosable = choose && (row.card === "request" || row.card === "gate");
  const keys = (event) => {
    if (event.target.matches("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "x" && isChoosable) choose(row.id);
    else if (event.key === "r" && isAnswered) toggle(row.id);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return h(
    "li",
    { class: `row tone-${toneOf(row.severity)}${isChosen ? " chosen" : ""}`, onkeydown: keys },
    h(
      "div",
      { class: "asking" },
      isChoosable
        ? h("input", { type: "checkbox", class: "pick", checked: isChosen, "aria-label": `Choose ${row.title}`, onchange: () => choose(row.id) })
        : choose
          ? h("span", { class: "pick" })
          : null,
      h("div", { class: "words-of" }, h("div", { class: "what" }, goTo(row.path, row.title)), aboutOf(row)),
      isAnswered
        ? h("button", { type: "button", class: "small", "aria-expanded": String(isOpen), "aria-label": `Answer ${row.title}`, onclick: () => toggle(row.id) }, isOpen ? "Close" : "Answer")
        : null,
    ),
    isOpen ? h(Card, { card: row.card, id: row.id, path: row.path, app: context.app, settled }) : null,
  );
}

/** Cards are fetched once the list is there: it is what one came for. */
export const loadCards = () => import("../embedding.js");

/** @param {Parameters<typeof import("../embedding.js").EmbeddedCard>[0]} given */
function Card(given) {
  const [loaded, setLoaded] = useState(/** @type {any} */ (null));
  useEffect(() => {
    loadCards().then(setLoaded, () => setLoaded({ EmbeddedCard: () => nothing("The card can't be loaded just now.") }));
  }, []);
  return loaded ? h(loaded.EmbeddedCard, given) : nothing("Loading…");
}

function aboutOf(row) {
  const isGrave = row.severity === "CRITICAL" || row.severity === "ERROR" || row.severity === "WARNING";
  return h(
    "div",
    { class: "about" },
    isGrave ? mark(plainly(row.severity), toneOf(row.severity)) : null,
    row.holds ? mark(`holds up ${row.holds}`, "bad") : null,
    h("span", null, row.kind),
    row.about ? h("span", null, row.about) : null,
    h("span", null, `${row.by} ${row.did ?? "asked"} `, when(row.createdAt)),
    row.dueAt ? h("span", null, "due ", upcoming(row.dueAt)) : null,
    row.isOverdue ? mark("overdue", "bad") : null,
    row.isMine ? mark("for you", "live") : null,
  );
}
