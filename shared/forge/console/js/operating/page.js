/**
 * A page of operators, out of its description: lists with their columns, what can be done to a row, and what can be made.
 * Forms and rights are the tools' own; see `tools.js`.
 *
 * @typedef {import("./dialogs.js").Act} Act
 * @typedef {import("./forms.js").Option} Option
 * @typedef {{text: any, kind?: "time" | "mark" | "code" | "link" | "lines"}} Cell
 * @typedef {[string, (row: any, names: Record<string, string>) => any, Cell["kind"]?]} Column
 * @typedef {"agents" | "handles" | "people" | "labels" | "projects" | "statuses"} Kind `handles` are those of agents
 *
 * @typedef {object} List
 * @property {string} title
 * @property {string} tool
 * @property {(params: any) => Record<string, unknown>} [given]
 * @property {boolean} [paged] whether its tool takes a limit and a cursor
 * @property {number} [pages] so many of them are shown at first
 * @property {Record<string, string>} [filters] what its tool is asked for by whoever looks, with a label for each; it stands
 * in the address
 * @property {(answer: any) => any[]} [rows] where the answer is no list
 * @property {(row: any) => boolean} [shows]
 * @property {(row: any) => string} [called] what other lists of the page call it
 * @property {Column[]} columns the first names the row
 * @property {(row: any) => string | null} [leads] the path of a page about it
 * @property {Act[]} [acts] to each row
 * @property {string} empty
 *
 * @typedef {object} Description
 * @property {string} title
 * @property {string} about
 * @property {Act[]} [makes] what can be done by itself
 * @property {List[]} lists
 * @property {Record<string, Kind>} [suggests] what is chosen in a field, by its name
 * @property {boolean} [namesPeople] whether people are read, which only admins may
 */

import { Refused, orNothing } from "../api.js";
import { theTerms } from "../known.js";
import { allAgents } from "../names.js";
import { argumentsOf, fieldsOf } from "./forms.js";
import { showAbout, showList } from "./lists.js";
import { ask, may, theViewer } from "./operate.js";

const USUAL_PAGES = 6;
const PAGE_OF = 50;
const NO_TERMS = { statuses: [], labels: [], projects: [], cycles: [] };

/** @param {Description} description @returns {import("../opening.js").Page} */
export function operatorPage(description) {
  const show = Object.fromEntries(description.lists.map((list) => [list.title, showList(list)]));
  return {
    title: description.title,
    wide: true,
    seconds: 30,
    read: (params, memory) => readAll(description, { ...params, ...Object.fromEntries(new URLSearchParams(location.search)) }, memory),
    decide: (answers) => viewOf(description, answers),
    show: { about: showAbout(description), ...show },
    ordered: description.lists.map(({ title }) => title),
  };
}

/** @param {Description} description @param {any} params @param {any} memory */
async function readAll(description, params, memory) {
  memory.more ??= {};
  const [viewer, agents, terms, people, ...lists] = await Promise.all([
    theViewer(),
    allAgents(),
    orNothing(theTerms(), NO_TERMS),
    description.namesPeople ? orNothing(ask("members.list"), { data: [] }) : { data: [] },
    ...description.lists.map((list) => readList(list, params, memory.more[list.title] ?? 1)),
  ]);
  // One that may not be seen hides no other; where none may be seen, that is what there is to say.
  if (lists.every((one) => one instanceof Refused)) throw lists[0];
  return { viewer, agents, terms, people: people.data, lists };
}

/** @param {List} list @param {any} params @param {number} times how often more was asked for @returns {Promise<any>} */
async function readList(list, params, times) {
  const names = Object.keys(list.filters ?? {});
  const said = Object.fromEntries(names.map((name) => [name, params[name] ?? ""]));
  try {
    const given = { ...list.given?.(params), ...argumentsOf(new URLSearchParams(said), fieldsOf(list.tool, names), null) };
    const rows = [];
    let cursor;
    for (let page = 0; page < (list.pages ?? USUAL_PAGES) * times; page += 1) {
      const answer = await ask(list.tool, list.paged ? { limit: PAGE_OF, ...given, cursor } : given);
      rows.push(...(list.rows ? list.rows(answer) : answer.data));
      cursor = answer.nextCursor;
      if (!cursor || !list.paged) break;
    }
    return { rows, isCut: Boolean(cursor), said };
  } catch (refusal) {
    if (refusal instanceof Refused && [400, 403].includes(refusal.status)) return Object.assign(refusal, { said });
    throw refusal;
  }
}

/** @param {Description} description @param {any} answers */
export function viewOf(description, { viewer, agents, terms = NO_TERMS, people = [], lists }) {
  const known = optionsOf({ agents, terms, people });
  const suggestions = Object.fromEntries(Object.entries(description.suggests ?? {}).map(([field, kind]) => [field, known[kind]]));
  const called = description.lists.flatMap((list, place) => (list.called ? (lists[place].rows ?? []).map((/** @type {any} */ row) => [row.id, list.called?.(row)]) : []));
  const names = { ...namesOf({ agents, terms, people }), ...Object.fromEntries(called) };
  const parts = description.lists.map((list, place) => [list.title, partOf(list, lists[place], { viewer, names, suggestions })]);
  const makes = (description.makes ?? []).flatMap((act, place) => (may(viewer, act.tool) ? [place] : []));
  return { heading: description.title, parts: { about: { makes, suggestions }, ...Object.fromEntries(parts) } };
}

/** What is chosen from, by its kind. @returns {Record<Kind, Option[]>} */
function optionsOf({ agents, terms, people }) {
  const live = agents.filter((/** @type {any} */ one) => !one.archivedAt);
  const ofTerms = (/** @type {{id: string, name: string}[]} */ those) => those.map(({ id, name }) => ({ value: id, text: name }));
  return {
    agents: live.map((/** @type {any} */ { id, profileKey }) => ({ value: id, text: `@${profileKey}` })),
    handles: live.map((/** @type {any} */ { profileKey }) => ({ value: profileKey, text: `@${profileKey}` })),
    people: people.map((/** @type {any} */ one) => ({ value: one.id, text: one.name ?? one.email })),
    labels: ofTerms(terms.labels),
    projects: ofTerms(terms.projects),
    statuses: ofTerms(terms.statuses),
  };
}

/** Archived agents are called by their names, too. @returns {Record<string, string>} */
function namesOf({ agents, terms, people }) {
  const { labels, projects, statuses, cycles } = terms;
  return Object.fromEntries([
    ...agents.map((/** @type {any} */ { id, profileKey }) => [id, `@${profileKey}`]),
    ...people.map((/** @type {any} */ one) => [one.id, one.name ?? one.email]),
    ...[...labels, ...projects, ...statuses, ...cycles].map(({ id, name }) => [id, name]),
  ]);
}

/** @param {List} list @param {any} read @param {{viewer: any, names: Record<string, string>, suggestions: any}} known */
function partOf(list, read, { viewer, names, suggestions }) {
  const { said } = read;
  if (read instanceof Refused) return { refused: read.message, rows: [], suggestions, said };
  const rows = read.rows.filter((/** @type {any} */ row) => list.shows?.(row) ?? true).map((/** @type {any} */ row, /** @type {number} */ number) => ({
    id: row.id ?? row.name ?? String(number),
    row,
    path: list.leads?.(row) ?? null,
    cells: list.columns.map(([, value, kind]) => ({ text: value(row, names) ?? null, kind })),
    acts: (list.acts ?? []).flatMap((act, place) => (may(viewer, act.tool) && (act.when?.(row) ?? true) ? [place] : [])),
  }));
  return { refused: null, rows, isCut: read.isCut, suggestions, said };
}
