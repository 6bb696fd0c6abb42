/** The picture of a plan: its steps, what each waits for, how they stand, and the chain that holds up its end. */

import { h } from "../dom.js";
import { counted, plainly, toneOf, usd } from "../words.js";
import { NODE, layoutOf } from "./plan_layout.js";
import { useNarrow } from "./sizes.js";

const CHARACTERS = 25;
const LINES = 2;
/** Steps that nothing is known of yet are taken to be as long as those that are over, and else as one another. */
const UNKNOWN = 1;

/**
 * @typedef {object} GraphStep
 * @property {string} id
 * @property {number} number
 * @property {string} title
 * @property {string} status
 * @property {string[]} afterIds
 * @property {string} who
 * @property {number} tries how often it was sent back
 * @property {string | null} verdict
 * @property {number | null} costUsd
 * @property {number | null} minutes
 */

/** How long each takes, as far as it is known. @param {GraphStep[]} steps */
export function weighted(steps) {
  const known = steps.flatMap(({ minutes }) => (minutes !== null && minutes > 0 ? [minutes] : []));
  const usual = known.length ? known.reduce((sum, one) => sum + one, 0) / known.length : UNKNOWN;
  return steps.map(({ id, afterIds, minutes }) => ({ id, after: afterIds, weight: minutes && minutes > 0 ? minutes : usual }));
}

/** A title in as many lines as there is room for. @param {string} title @returns {string[]} */
export function linesOf(title) {
  /** @type {string[]} */
  const lines = [];
  for (const word of title.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < CHARACTERS) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  const shown = lines.slice(0, LINES).map((line) => cut(line, CHARACTERS));
  if (lines.length > LINES) shown[LINES - 1] = cut(`${shown[LINES - 1]} ${lines[LINES]}`, CHARACTERS, true);
  return shown;
}

/** @param {{steps: GraphStep[]}} given */
export function PlanGraph({ steps }) {
  const isDown = useNarrow();
  const { nodes, edges, width, height, critical } = layoutOf(weighted(steps), { isDown });
  const byId = new Map(steps.map((step) => [step.id, step]));
  const numbers = critical.map((id) => byId.get(id)?.number);
  const done = steps.filter(({ status }) => status === "DONE").length;
  const told = `A plan of ${counted(steps.length, "step")}, ${done} done. The longest chain: steps ${numbers.join(", ")}. The list below says the same.`;
  const picture = h(
    "svg",
    { class: "plan", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": told },
    edges.map((edge) => h("path", { key: `${edge.from} ${edge.to}`, class: edge.isCritical ? "edge critical" : "edge", d: edge.path })),
    nodes.map((node) => {
      const step = byId.get(node.id);
      return step ? h(Node, { key: node.id, step, node, isCritical: critical.includes(node.id) }) : null;
    }),
  );
  return h(
    "figure",
    { class: "picture" },
    h("div", { class: "sideways", tabindex: "0", role: "group", "aria-label": "The plan as a graph" }, picture),
    critical.length > 1 ? h("figcaption", { class: "hint" }, `The thick line is the chain that takes longest: steps ${numbers.join(", ")}.`) : null,
  );
}

/** @param {{step: GraphStep, node: {x: number, y: number}, isCritical: boolean}} given */
function Node({ step, node, isCritical }) {
  const lines = linesOf(`${step.number}. ${step.title}`);
  const classes = `node tone-${toneOf(step.status)}${isCritical ? " critical" : ""}${step.status === "RUNNING" ? " running" : ""}`;
  return h(
    "g",
    { class: classes, transform: `translate(${node.x} ${node.y})` },
    h("rect", { width: NODE.width, height: NODE.height, rx: 6 }),
    h("rect", { class: "tone", width: 4, height: NODE.height, rx: 2 }),
    lines.map((line, place) => h("text", { key: place, class: "title", x: 12, y: 19 + place * 15 }, line)),
    h("text", { class: "state", x: 12, y: NODE.height - 9 }, cut(stateOf(step), 31)),
  );
}

/** @param {GraphStep} step */
function stateOf(step) {
  return [
    plainly(step.status),
    step.tries ? `try ${step.tries + 1}` : "",
    step.verdict ? plainly(step.verdict) : "",
    step.costUsd === null ? "" : usd(step.costUsd),
    step.who,
  ]
    .filter(Boolean)
    .join(" · ");
}

/** @param {string} text @param {number} most */
function cut(text, most, isCut = text.length > most) {
  return isCut ? `${text.slice(0, most - 1).trimEnd()}…` : text;
}
