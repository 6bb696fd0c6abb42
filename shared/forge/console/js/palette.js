/** Ctrl-K: whatever has a name or was said, opened without the mouse. */

import { useEffect, useRef, useState } from "../vendor/hooks.js";
import { openAbove } from "./above.js";
import { mayCall } from "./allowed.js";
import { Refused, call, orNothing, rowsOf } from "./api.js";
import { h } from "./dom.js";
import { keptFor } from "./keeping.js";
import { theTerms } from "./known.js";
import { allAgents } from "./names.js";
import { at as pathAt, paths } from "./routes.js";
import { saidInComments } from "./said.js";

const PAUSE_MS = 200;
const KEPT_MS = 30_000;
const MOST = 8;
const IDENTIFIER = /^[a-z][a-z0-9]*-\d{1,9}$/i;
const FIELDS = ["identifier", "title"];

/** @typedef {{path: string, kind: string, text: string, act?: () => void}} Found what is done instead of going there */

/** @param {any} app */
export async function openPalette(app) {
  const mayWrite = await mayCall("issues.create").catch(() => false);
  const places = app.places.map((/** @type {any} */ place) => ({ path: place.path, kind: "Page", text: place.text }));
  /** @type {Found[]} */
  const pages = mayWrite ? [...places, writing(app)] : places;
  openAbove({ label: "Find", tone: "palette" }, ({ close }) => h(Palette, { app, pages, close }));
}

/** @param {any} app @returns {Found} */
function writing(app) {
  const act = async () => (await import("./new_issue.js")).openNewIssue(app);
  return { path: paths.board, kind: "Do", text: "New issue", act };
}

/** @param {{app: any, pages: Found[], close: () => void}} given */
function Palette({ app, pages, close }) {
  const [text, setText] = useState("");
  const [{ found, problem }, setFound] = useState({ found: pages.slice(0, MOST), problem: "" });
  const [at, setAt] = useState(0);
  useSearch(text, pages, app, close, (next) => {
    setFound(next);
    setAt(0);
  });
  const open = (/** @type {number} */ place) => {
    if (!found[place]) return;
    const { path, act = () => app.navigate(path) } = found[place];
    close();
    act();
  };
  const move = (/** @type {KeyboardEvent} */ event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by && found.length) {
      event.preventDefault();
      setAt((at + by + found.length) % found.length);
    }
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    open(at);
  };
  return [
    h("input", {
      ...FIELD,
      "aria-activedescendant": found.length ? `found-${at}` : undefined,
      onkeydown: move,
      oninput: (/** @type {any} */ event) => setText(event.target.value),
    }),
    h(
      "ul",
      { id: "found", role: "listbox", "aria-label": "Found" },
      found.map((one, place) => h(Row, { key: `${one.kind} ${one.path} ${one.text}`, one, place, at, open, point: setAt })),
    ),
    h("p", { class: "hint", role: "status" }, problem || (found.length ? "" : NOTHING)),
  ];
}

const NOTHING = "Nothing has this name, or these words in its title or description, and none of the last comments begins with them.";
const FIELD = {
  type: "text",
  role: "combobox",
  autocomplete: "off",
  spellcheck: false,
  placeholder: "DEMO-12, or words",
  "aria-label": "Find",
  "aria-expanded": "true",
  "aria-controls": "found",
  "aria-autocomplete": "list",
  "data-first": true,
};

/** @param {{one: Found, place: number, at: number, open: (place: number) => void, point: (place: number) => void}} given */
function Row({ one, place, at, open, point }) {
  const row = useRef(/** @type {HTMLElement | null} */ (null));
  const isPointed = place === at;
  useEffect(() => {
    if (isPointed) row.current?.scrollIntoView({ block: "nearest" });
  }, [isPointed]);
  return h(
    "li",
    {
      id: `found-${place}`,
      role: "option",
      ref: row,
      "aria-selected": String(isPointed),
      onclick: () => open(place),
      onmousemove: () => point(place),
    },
    h("span", { class: "kind" }, one.kind),
    " ",
    one.text,
  );
}

/**
 * Looks for what is typed, a moment after the last letter. An answer to fewer letters may come later than one to more.
 * @param {string} text @param {Found[]} pages @param {any} app @param {() => void} close
 * @param {(next: {found: Found[], problem: string}) => void} show
 */
function useSearch(text, pages, app, close, show) {
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) return void (isFirst.current = false);
    let isOver = false;
    const look = async () => {
      try {
        const found = await find(text.trim(), pages);
        if (!isOver) show({ found, problem: "" });
      } catch (refusal) {
        if (!(refusal instanceof Refused)) throw refusal;
        if (refusal.status === 401) return void (close(), app.signedOut(refusal.message));
        if (!isOver) show({ found: [], problem: refusal.message });
      }
    };
    const timer = setTimeout(look, PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [text]);
}

/** What is read whole and looked through here, rather than asked for with each letter. */
const namedThings = keptFor(KEPT_MS, async () => {
  const [asked, goals, initiatives, pipelines] = await Promise.all([
    rowsOf("actionRequests.list", { status: "OPEN", fields: ["id", "title"] }),
    rowsOf("goals.list"),
    rowsOf("initiatives.list"),
    rowsOf("pipeline_list"),
  ]);
  return [...asked.map(ofRequest), ...goals.map(ofGoal), ...initiatives.map(ofInitiative), ...pipelines.map(ofPipeline)];
});

/** @param {string} text @param {Found[]} pages @returns {Promise<Found[]>} */
async function find(text, pages) {
  if (!text) return pages.slice(0, MOST);
  const isNamed = (/** @type {string} */ name) => name.toLowerCase().includes(text.toLowerCase());
  const [named, issues, things, agents, terms, said] = await Promise.all([
    IDENTIFIER.test(text) ? orNothing(call("issues.get", { id: text }), null) : null,
    orNothing(call("issues.list", { query: text, limit: MOST, fields: FIELDS }), { data: [] }),
    namedThings(),
    allAgents(),
    orNothing(theTerms(), { projects: [], cycles: [] }),
    saidInComments(text),
  ]);
  const others = issues.data.filter((/** @type {any} */ one) => one.identifier !== named?.identifier);
  return [
    ...[...(named ? [named] : []), ...others].map(ofIssue),
    ...pages.filter((one) => isNamed(one.text)),
    ...things.filter((one) => isNamed(one.text)),
    ...agents.filter((one) => !one.archivedAt && isNamed(`@${one.profileKey} ${one.name ?? ""}`)).map(ofAgent),
    ...terms.cycles.filter((/** @type {any} */ one) => isNamed(one.name)).map(ofCycle),
    ...terms.projects.filter((/** @type {any} */ one) => isNamed(`${one.key} ${one.name}`)).map(ofProject),
    ...said.rows.map(ofComment),
  ].slice(0, MOST);
}

const ofIssue = (/** @type {any} */ { identifier, title }) => ({ path: paths.issue(identifier), kind: identifier, text: title });
const ofRequest = (/** @type {any} */ { id, title }) => ({ path: paths.request(id), kind: "Needs you", text: title });
const ofInitiative = (/** @type {any} */ { id, name }) => ({ path: paths.initiative(id), kind: "Initiative", text: name });
const ofPipeline = (/** @type {any} */ { workspace, title }) => {
  const name = workspace.replace(".specs/", "");
  return { path: paths.pipeline(name), kind: "Pipeline", text: title || name };
};
const ofGoal = (/** @type {any} */ { id, title }) => ({ path: paths.goal(id), kind: "Goal", text: title });
const ofCycle = (/** @type {any} */ { id, name }) => ({ path: paths.cycle(id), kind: "Cycle", text: name });
const ofProject = (/** @type {any} */ { id, name }) => ({ path: pathAt("/board", { project: id }), kind: "Project", text: name });
const ofComment = (/** @type {any} */ { path, identifier, text }) => ({ path, kind: `${identifier}, a comment`, text });
const ofAgent = (/** @type {any} */ { profileKey }) => ({ path: paths.agents, kind: "Agent", text: `@${profileKey}` });
