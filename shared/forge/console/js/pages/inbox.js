/** Needs you: everything that waits for a decision, and nothing else. */

import { useEffect } from "../../vendor/hooks.js";
import { goTo, h, mark, nothing, upcoming, when } from "../dom.js";
import { mayAskForNotices } from "../notices.js";
import { readWaiting, sortWaiting } from "../waiting.js";
import { plainly, toneOf } from "../words.js";

export const inboxPage = {
  title: "Needs you",
  read: readWaiting,
  decide(answers) {
    const { yours, others, isCut } = sortWaiting(answers);
    return {
      heading: "Needs you",
      parts: {
        count: yours.length,
        yours,
        others: others.length ? others : null,
        more: isCut || null,
        notices: mayAskForNotices() || null,
      },
    };
  },
  show: {
    count(count, { app }) {
      useEffect(() => app.waiting(count), [count]);
      return null;
    },
    yours: (rows) => (rows.length ? listOf(rows) : allClear()),
    others: (rows) =>
      h("details", { class: "others" }, h("summary", null, `For others to decide (${rows.length})`), listOf(rows)),
    more: () => nothing("There are more than these; decide some, and the rest will show."),
    notices: askForNotices,
  },
  ordered: ["yours", "others"],
};

/** Asked for by a click and never by itself: browsers and people resent it. */
function askForNotices(_, context) {
  const ask = async () => {
    await Notification.requestPermission();
    await context.reload();
  };
  return h("p", { class: "hint" }, h("button", { type: "button", class: "quiet", onclick: ask }, "Notify me in this browser"));
}

function allClear() {
  return h(
    "div",
    { class: "clear" },
    h("p", { class: "large" }, "Nothing waits for you."),
    h("p", null, "Your agents have what they need. This page looks by itself, and counts in its title what comes."),
  );
}

function listOf(rows) {
  return h("ul", { class: "rows" }, rows.map(rowOf));
}

function rowOf(row) {
  const isGrave = row.severity === "CRITICAL" || row.severity === "ERROR" || row.severity === "WARNING";
  return h(
    "li",
    { key: row.id, class: `row tone-${toneOf(row.severity)}` },
    h("div", { class: "what" }, goTo(row.path, row.title)),
    h(
      "div",
      { class: "about" },
      isGrave ? mark(plainly(row.severity), toneOf(row.severity)) : null,
      h("span", null, row.kind),
      row.about ? h("span", null, row.about) : null,
      h("span", null, `${row.by} ${row.did ?? "asked"} `, when(row.createdAt)),
      row.dueAt ? h("span", null, "due ", upcoming(row.dueAt)) : null,
      row.isOverdue ? mark("overdue", "bad") : null,
      row.isMine ? mark("for you", "live") : null,
    ),
  );
}
