/** Initiatives: what several projects serve, with how many there are. */

import { useState } from "../../vendor/hooks.js";
import { mayCall } from "../allowed.js";
import { pages } from "../api.js";
import { useDeed } from "../deciding.js";
import { goTo, h, mark, nothing, trouble, upcoming } from "../dom.js";
import { saidIn, textField } from "../fields.js";
import { paths } from "../routes.js";
import { counted, plainly, toneOf } from "../words.js";
import { write } from "../writing.js";

/** @type {import("../opening.js").Page} */
export const initiativesPage = {
  title: "Initiatives",
  read: async () => {
    const [found, may] = await Promise.all([
      pages("initiatives.list", { limit: 100 }, { most: 2 }),
      mayCall("initiatives.create"),
    ]);
    return { ...found, may };
  },
  decide: ({ rows, may }) => ({
    heading: "Initiatives",
    parts: {
      add: may || null,
      rows: rows.map(({ id, name, status, targetDate, projectCount }) => ({ id, name, status, targetDate, projectCount })),
    },
  }),
  show: { add: showAdd, rows: showRows },
  ordered: ["rows"],
};

function showRows(rows) {
  if (!rows.length) return nothing("There are no initiatives yet. One is what several projects serve.");
  return h("ul", { class: "rows" }, rows.map(showRow));
}

function showRow({ id, name, status, targetDate, projectCount }) {
  return h(
    "li",
    { key: id, class: `row tone-${toneOf(status)}` },
    h("div", { class: "what" }, goTo(paths.initiative(id), name)),
    h(
      "div",
      { class: "about" },
      mark(plainly(status), toneOf(status)),
      h("span", null, counted(projectCount, "project")),
      targetDate ? h("span", null, "due ", upcoming(targetDate)) : null,
    ),
  );
}

function showAdd(_, context) {
  const deed = useDeed(context.app);
  const [isOpen, setOpen] = useState(false);
  const create = (event) => {
    event.preventDefault();
    const said = saidIn(event.currentTarget);
    const targetDate = said("until") ? `${said("until")}T00:00:00Z` : undefined;
    deed.act(async () => {
      await write("initiatives.create", { name: said("name"), targetDate }, context);
      setOpen(false);
      await context.reload();
    });
  };
  if (!isOpen) return h("button", { type: "button", "data-key": "c", onclick: () => setOpen(true) }, "New initiative");
  return h(
    "form",
    { class: "filters", onsubmit: create },
    textField("Name", { id: "initiative-name", name: "name", type: "text", required: true, maxlength: 80 }),
    textField("Due (optional)", { id: "initiative-until", name: "until", type: "date" }),
    h("button", { type: "submit", class: "primary", disabled: deed.isUnderWay }, "Create"),
    trouble(deed.problem),
  );
}
