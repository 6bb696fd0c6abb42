/** Needs you: everything that waits for a decision or goes wrong, decided where it stands, one or several at once. */

import { useEffect, useState } from "../../vendor/hooks.js";
import { mayCallEach } from "../allowed.js";
import { Refused } from "../api.js";
import { SNOOZES, openBulk, snoozeEach } from "../bulk.js";
import { serverNow } from "../clock.js";
import { useDeed } from "../deciding.js";
import { h, nothing, trouble } from "../dom.js";
import { mayAskForNotices } from "../notices.js";
import { readWaiting, sortWaiting } from "../waiting.js";
import { counted } from "../words.js";
import { InboxRow, loadCards } from "./inbox_row.js";

/** @type {import("../opening.js").Page} */
export const inboxPage = {
  title: "Needs you",
  read: async () => {
    const [answers, may] = await Promise.all([
      readWaiting(),
      mayCallEach(["actionRequests.accept", "actionRequests.transition", "comments.create"]),
    ]);
    return { ...answers, may };
  },
  decide({ may, ...answers }) {
    const { yours, others, isCut } = sortWaiting(answers);
    return {
      heading: "Needs you",
      parts: {
        count: yours.length,
        yours: { rows: yours, may },
        others: others.length ? { rows: others, may } : null,
        more: isCut || null,
        notices: mayAskForNotices() || null,
      },
    };
  },
  show: {
    count(count, { app }) {
      useEffect(() => app.waiting(count), [count]);
      useEffect(() => void loadCards().catch(() => {}), []);
      return null;
    },
    yours: showYours,
    others: ({ rows, may }, context) =>
      h(
        "details",
        { class: "others" },
        h("summary", null, `For others to decide (${rows.length})`),
        h(Rows, { rows, may, context, chosen: new Set(), choose: null, settled: () => context.reload() }),
      ),
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

function showYours({ rows, may }, context) {
  const [told, tell] = useState("");
  const [chosen, setChosen] = useState(/** @type {Set<string>} */ (new Set()));
  const settled = async (text) => {
    tell(text);
    setChosen(new Set());
    await context.reload();
  };
  const choose = (id) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const those = rows.filter((row) => chosen.has(row.id));
  return h(
    "div",
    null,
    h("p", { class: told ? "outcome slim" : "unseen", role: "status" }, told),
    those.length ? h(Together, { rows: those, may, context, settled, clear: () => setChosen(new Set()) }) : null,
    rows.length ? h(Rows, { rows, may, context, chosen, choose: may["actionRequests.accept"] ? choose : null, settled }) : allClear(),
  );
}

function Rows({ rows, may, context, chosen, choose, settled }) {
  const [open, setOpen] = useState("");
  const toggle = (id) => setOpen(open === id ? "" : id);
  const done = async (text) => {
    setOpen("");
    await settled(text);
  };
  return h(
    "ul",
    { class: "rows" },
    rows.map((row) =>
      h(InboxRow, {
        ...{ key: row.id, row, may, context, choose, toggle, settled: done },
        ...{ isOpen: open === row.id, isChosen: chosen.has(row.id) },
      }),
    ),
  );
}

/** What can be done with those that are chosen. */
function Together({ rows, may, context, settled, clear }) {
  const deed = useDeed(context.app);
  const requests = rows.filter((row) => row.card === "request");
  const decided = rows.filter((row) => row.card === "request" || row.card === "gate");
  const snooze = (ms) =>
    deed.act(async () => {
      const failed = await snoozeEach(requests, ms, serverNow(), context);
      if (failed.length < requests.length) await settled(`Put off: ${counted(requests.length - failed.length, "decision")}.`);
      if (failed.length) throw new Refused(409, { message: failed.join(" ") });
    });
  return h(
    "div",
    { class: "together-bar", role: "toolbar", "aria-label": "Those that are chosen" },
    h("strong", null, `${rows.length} chosen`),
    decided.length
      ? h("button", { type: "button", class: "primary", onclick: () => openBulk(decided, context, settled) }, `Decide ${decided.length} together`)
      : null,
    may["actionRequests.transition"] && requests.length
      ? SNOOZES.map(({ text, ms }) => h("button", { type: "button", key: text, disabled: deed.isUnderWay, onclick: () => snooze(ms) }, `Snooze: ${text.toLowerCase()}`))
      : null,
    h("button", { type: "button", class: "quiet", onclick: clear }, "None"),
    trouble(deed.problem),
  );
}

function allClear() {
  return h(
    "div",
    { class: "clear" },
    h("p", { class: "large" }, "Nothing waits for you."),
    h("p", null, "Your agents have what they need. This page looks by itself, and counts in its title what comes."),
  );
}
