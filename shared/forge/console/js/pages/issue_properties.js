/** The properties of an issue: shown to all, and chosen by who may; each choice is a change at once. */

import { useEffect, useRef } from "../../vendor/hooks.js";
import { useDeed } from "../deciding.js";
import { facts, h, lasting, trouble, upcoming, when } from "../dom.js";
import { PRIORITIES, choiceField, choicesOf } from "../fields.js";
import { plainly, usd } from "../words.js";
import { write } from "../writing.js";

const PAUSE_MS = 900;
/** What is being typed begins with the year 2. */
const EARLIEST = "1970";

export function showProperties(given, context) {
  const deed = useDeed(context.app);
  const last = useRef(/** @type {Promise<any>} */ (Promise.resolve()));
  // One after the other: what is chosen meanwhile is neither lost nor has it to wait for its turn to be chosen.
  const change = (tool, order, undo = () => {}) => {
    last.current = last.current.then(() =>
      deed.act(async () => {
        try {
          await write(tool, order, context);
        } catch (refusal) {
          undo();
          throw refusal;
        }
        await context.reload();
      }),
    );
  };
  const isEditor = given.may["issues.update"];
  return h(
    "section",
    { class: "properties" },
    h("h2", null, "How it stands"),
    facts(standing(given)),
    trouble(deed.problem),
    isEditor ? h(Choices, { given, change }) : facts(described(given)),
  );
}

/** What nobody chooses. @returns {[string, any][]} */
function standing({ holder, assigned, run, cost, createdAt, author }) {
  return [
    ["Held by", holder && h("span", null, holder.name, holder.until ? [", free ", upcoming(holder.until)] : null)],
    ["Assigned to", assigned],
    ["Works on it", run && h("span", null, `${run.who}, ${plainly(run.mode)}, `, lasting(run.startedAt), run.step ? ` (${run.step})` : "")],
    ["Heard of", run && when(run.heardAt)],
    ["Spent", cost === null ? null : usd(cost)],
    ["Written", h("span", null, when(createdAt), ` by ${author}`)],
  ];
}

/** What is chosen, for who only reads. @returns {[string, any][]} */
function described({ values, choices, project }) {
  return [
    ["Project", project],
    ["Cycle", choices.cycles.find(({ id }) => id === values.cycleId)?.name],
    ["Due", values.dueDate && upcoming(values.dueDate)],
    ["Estimate", values.estimate === null ? null : String(values.estimate)],
  ];
}

function Choices({ given, change }) {
  const { id, values, choices } = given;
  /** What is refused is taken back. */
  const chosen = (before, act) => (event) => {
    const field = event.currentTarget;
    act(field.value, () => (field.value = before ?? ""));
  };
  const update = (name) => (value, undo) => change("issues.update", value ? { id, [name]: value } : { id, clear: [name] }, undo);
  const urgency = PRIORITIES.map((name) => ({ value: name, text: plainly(name) }));
  const statuses = choices.statuses.map((one) => ({ value: one.id, text: one.name }));
  const assign = (value, undo) => change("issues.assign", { issueId: id, agentId: value || null }, undo);
  const move = (value, undo) => change("issues.transition", { id, statusId: value }, undo);
  const field = (label, name, all, value, act) => choiceField(label, { id: `is-${name}`, onchange: chosen(value, act) }, all, value);
  return h(
    "div",
    { class: "fields narrow" },
    field("Status", "status", statuses, values.statusId, move),
    field("Priority", "priority", urgency, values.priority, update("priority")),
    field("Agent", "agent", choicesOf("Nobody", choices.agents), values.agentId, assign),
    choices.projects.length ? field("Project", "project", choicesOf("None", choices.projects), values.projectId, update("projectId")) : null,
    choices.cycles.length ? field("Cycle", "cycle", choicesOf("None", choices.cycles), values.cycleId, update("cycleId")) : null,
    h(DueField, { id, values, change }),
    h(LabelsField, { id, values, choices, change }),
    h(QueueButton, { id, values, change }),
  );
}

/**
 * The end of the day that is chosen, so that a day is not over when it begins. A date that is typed is one with each key,
 * and meant once no more are pressed.
 */
function DueField({ id, values, change }) {
  const day = values.dueDate ? values.dueDate.slice(0, 10) : "";
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const timer = useRef(0);
  useEffect(() => {
    if (field.current && document.activeElement !== field.current) field.current.value = day;
  }, [day]);
  const set = () => {
    clearTimeout(timer.current);
    const { value = "", validity } = field.current ?? {};
    if (validity?.badInput || value === day || (value && value < EARLIEST)) return;
    change("issues.update", value ? { id, dueDate: `${value}T23:59:00Z` } : { id, clear: ["dueDate"] });
  };
  const soon = () => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(set, PAUSE_MS);
  };
  return h("div", { class: "field" }, h("label", { for: "is-due" }, "Due"), h("input", { id: "is-due", type: "date", defaultValue: day, ref: field, onchange: soon, onblur: set }));
}

function LabelsField({ id, values, choices, change }) {
  const has = new Set(values.labels.map((label) => label.id));
  const remove = (label) => () => change("issues.setLabels", { issueId: id, remove: [label.id] });
  const add = (event) => event.currentTarget.value && change("issues.setLabels", { issueId: id, add: [event.currentTarget.value] });
  const others = choices.labels.filter((label) => !has.has(label.id));
  const chips = values.labels.map((label) =>
    h("button", { type: "button", key: label.id, class: "label", "aria-label": `Remove the label ${label.name}`, onclick: remove(label) }, label.name, " ×"),
  );
  return h(
    "div",
    { class: "field wide-field" },
    h("label", { for: "is-label" }, "Labels"),
    chips.length ? h("div", { class: "chips" }, chips) : null,
    others.length ? h("select", { id: "is-label", key: chips.length, onchange: add }, choicesOf("Add a label…", others).map(({ value, text }) => h("option", { value }, text))) : null,
  );
}

function QueueButton({ id, values, change }) {
  const queued = !values.isQueued;
  const act = () => change("issues.setQueued", { id, queued });
  return h("button", { type: "button", onclick: act }, queued ? "Queue it" : "Take it out of the queue");
}
