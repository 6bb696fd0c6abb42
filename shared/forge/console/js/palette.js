/** Ctrl-K: pages, issues, goals and agents by their names, opened without the mouse. */

import { Refused, call, orNothing } from "./api.js";
import { fill, h } from "./dom.js";
import { allAgents } from "./names.js";
import { paths } from "./routes.js";

const PAUSE_MS = 200;
const MOST = 8;
const IDENTIFIER = /^[a-z][a-z0-9]*-\d{1,9}$/i;
const FIELDS = ["identifier", "title"];
const PAGES = [
  { path: paths.inbox, kind: "Page", text: "Needs you" },
  { path: paths.board, kind: "Page", text: "Board" },
  { path: paths.goals, kind: "Page", text: "Goals" },
  { path: paths.agents, kind: "Page", text: "Agents" },
];

/** @param {{navigate: (path: string) => void}} app */
export function openPalette(app) {
  if (document.querySelector("dialog[open]")) return;
  const list = h("ul", { id: "found", role: "listbox", "aria-label": "Found" });
  const told = h("p", { class: "hint", role: "status" });
  const field = h("input", {
    ...{ type: "text", role: "combobox", autocomplete: "off", spellcheck: "false", placeholder: "DEMO-12, or words" },
    ...{ "aria-label": "Find", "aria-expanded": "true", "aria-controls": "found", "aria-autocomplete": "list" },
  });
  const dialog = h("dialog", { class: "palette", "aria-label": "Find" }, field, list, told);
  const palette = { app, dialog, field, list, told, found: [], at: 0, timer: 0, asked: 0 };
  field.addEventListener("input", () => {
    clearTimeout(palette.timer);
    palette.timer = setTimeout(() => look(palette), PAUSE_MS);
  });
  field.addEventListener("keydown", (event) => move(palette, event));
  dialog.addEventListener("close", () => (clearTimeout(palette.timer), dialog.remove()));
  document.body.append(dialog);
  dialog.showModal();
  field.focus();
  show(palette, PAGES);
}

async function look(palette) {
  const asked = (palette.asked += 1);
  const text = palette.field.value.trim();
  try {
    const found = await find(text);
    // An answer to fewer letters may come later than one to more.
    if (asked === palette.asked) show(palette, found);
  } catch (refusal) {
    if (!(refusal instanceof Refused)) throw refusal;
    if (refusal.status === 401) return void (palette.dialog.close(), palette.app.signedOut(refusal.message));
    fill(palette.told, refusal.message);
  }
}

async function find(text) {
  if (!text) return PAGES;
  const isNamed = (name) => name.toLowerCase().includes(text.toLowerCase());
  const [named, issues, goals, agents] = await Promise.all([
    IDENTIFIER.test(text) ? orNothing(call("issues.get", { id: text }), null) : null,
    orNothing(call("issues.list", { query: text, limit: MOST, fields: FIELDS }), { data: [] }),
    orNothing(call("goals.list", { limit: 50 }), { data: [] }),
    allAgents(),
  ]);
  const rows = [...(named ? [named] : []), ...issues.data.filter((one) => one.identifier !== named?.identifier)];
  return [
    ...rows.map((one) => ({ path: paths.issue(one.identifier), kind: one.identifier, text: one.title })),
    ...PAGES.filter((one) => isNamed(one.text)),
    ...goals.data.filter((one) => isNamed(one.title)).map(({ id, title }) => ({ path: paths.goal(id), kind: "Goal", text: title })),
    ...agents
      .filter((one) => !one.archivedAt && isNamed(`@${one.profileKey} ${one.name ?? ""}`))
      .map((one) => ({ path: paths.agents, kind: "Agent", text: `@${one.profileKey}` })),
  ].slice(0, MOST);
}

function show(palette, found) {
  palette.found = found;
  palette.at = 0;
  fill(palette.told, found.length ? "" : "Nothing has this name, or these words in its title or description.");
  fill(
    palette.list,
    found.map(({ kind, text }, place) =>
      h(
        "li",
        { id: `found-${place}`, role: "option", onclick: () => open(palette, place), onmousemove: () => point(palette, place) },
        h("span", { class: "kind" }, kind),
        " ",
        text,
      ),
    ),
  );
  point(palette, 0);
}

function point(palette, place) {
  palette.at = place;
  for (const [number, row] of [...palette.list.children].entries()) {
    row.setAttribute("aria-selected", String(number === place));
    if (number === place) row.scrollIntoView({ block: "nearest" });
  }
  if (palette.found.length) palette.field.setAttribute("aria-activedescendant", `found-${place}`);
  else palette.field.removeAttribute("aria-activedescendant");
}

function move(palette, event) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by && palette.found.length) {
    event.preventDefault();
    point(palette, (palette.at + by + palette.found.length) % palette.found.length);
  }
  if (event.key === "Enter" && !event.isComposing) {
    event.preventDefault();
    open(palette, palette.at);
  }
}

function open(palette, place) {
  const chosen = palette.found[place];
  if (!chosen) return;
  palette.dialog.close();
  palette.app.navigate(chosen.path);
}
