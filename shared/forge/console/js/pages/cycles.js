/** Cycles: the one under way, those to come and those that are over. */

import { useState } from "../../vendor/hooks.js";
import { mayCall } from "../allowed.js";
import { pages } from "../api.js";
import { useDeed } from "../deciding.js";
import { goTo, h, mark, nothing, trouble, upcoming } from "../dom.js";
import { saidIn, textField } from "../fields.js";
import { theTerms } from "../known.js";
import { paths } from "../routes.js";
import { counted, plainly, toneOf } from "../words.js";
import { write } from "../writing.js";

const ORDER = ["ACTIVE", "PLANNED", "COMPLETED", "CANCELED"];
const DAY_MS = 86_400_000;

/** @type {import("../opening.js").Page} */
export const cyclesPage = {
  title: "Cycles",
  read: async () => {
    const [found, may] = await Promise.all([pages("cycles.list", { limit: 100 }, { most: 2 }), mayCall("cycles.create")]);
    return { ...found, may };
  },
  decide: ({ rows, may }) => ({ heading: "Cycles", parts: { add: may || null, cycles: inOrder(rows) } }),
  show: { add: showAdd, cycles: showCycles },
  ordered: ["cycles"],
};

function inOrder(rows) {
  const cycles = rows.map(({ id, name, status, startsAt, endsAt, issueCount }) => ({ id, name, status, startsAt, endsAt, issueCount }));
  return cycles.sort(
    (one, other) => ORDER.indexOf(one.status) - ORDER.indexOf(other.status) || other.startsAt.localeCompare(one.startsAt),
  );
}

function showCycles(cycles) {
  if (!cycles.length) return nothing("There are no cycles yet. One is a week or two with what shall be done in it.");
  return h("ul", { class: "rows" }, cycles.map(showCycle));
}

function showCycle({ id, name, status, startsAt, endsAt, issueCount }) {
  const day = (iso) => new Date(iso).toLocaleDateString("en", { day: "numeric", month: "short", timeZone: "UTC" });
  return h(
    "li",
    { key: id, class: `row tone-${toneOf(status)}` },
    h("div", { class: "what" }, goTo(paths.cycle(id), name)),
    h(
      "div",
      { class: "about" },
      mark(plainly(status), toneOf(status)),
      h("span", null, `${day(startsAt)} – ${day(endsAt)}`),
      status === "ACTIVE" ? h("span", null, "ends ", upcoming(endsAt)) : null,
      h("span", null, counted(issueCount, "issue")),
    ),
  );
}

function showAdd(_, context) {
  const deed = useDeed(context.app);
  const [isOpen, setOpen] = useState(false);
  const today = new Date().toISOString().slice(0, 10);
  const create = (event) => {
    event.preventDefault();
    const said = saidIn(event.currentTarget);
    deed.act(async () => {
      const days = Number(said("days"));
      const startsAt = `${said("from")}T00:00:00Z`;
      const endsAt = new Date(Date.parse(startsAt) + days * DAY_MS).toISOString();
      await write("cycles.create", { name: said("name"), startsAt, endsAt }, context);
      await theTerms({ isFresh: true });
      setOpen(false);
      await context.reload();
    });
  };
  if (!isOpen) return h("button", { type: "button", "data-key": "c", onclick: () => setOpen(true) }, "New cycle");
  return h(
    "form",
    { class: "filters", onsubmit: create },
    textField("Name", { id: "cycle-name", name: "name", type: "text", required: true, maxlength: 80 }),
    textField("Begins", { id: "cycle-from", name: "from", type: "date", required: true, defaultValue: today }),
    textField("Days", { id: "cycle-days", name: "days", type: "number", min: 1, max: 365, required: true, defaultValue: "14" }),
    h("button", { type: "submit", class: "primary", disabled: deed.isUnderWay }, "Create"),
    trouble(deed.problem),
  );
}
