/** The phases of a pipeline as a strip: what is over, what was left out, where it is, and what is to come. */

import { h, mark, section } from "../dom.js";
import { plainly, toneOf } from "../words.js";

/** In their order; held to those of the server by a test. @type {[string, string][]} */
const PHASES = [
  ["setup", "Setup"],
  ["phase-1", "Situation Analysis"],
  ["phase-2", "Investigation"],
  ["phase-3", "Design"],
  ["phase-3b", "Design Review"],
  ["checkpoint-a", "Design Checkpoint"],
  ["phase-4", "Task Decomposition"],
  ["phase-4b", "Tasks AI Review"],
  ["checkpoint-b", "Tasks Checkpoint"],
  ["phase-5", "Implementation"],
  ["phase-6", "Code Review"],
  ["phase-7", "Comprehensive Review"],
  ["final-verification", "Final Verification"],
  ["pr-creation", "PR Creation"],
  ["final-summary", "Final Summary"],
  ["post-to-source", "Post to Source"],
  ["final-commit", "Final Commit"],
];
const NAMES = Object.fromEntries([...PHASES, ["completed", "Completed"]]);
const TOLD = { done: "done", skipped: "left out", here: "here", ahead: "to come" };

/** @param {string} id */
export function phaseName(id) {
  return NAMES[id] ?? plainly(id);
}

/** @param {string} status */
export function statusMark(status) {
  return status === "awaiting_human" ? mark("waits for a person", "warn") : mark(plainly(status), toneOf(status.toUpperCase()));
}

/** @param {any} state as `state_resume_info` tells it @returns {{id: string, name: string, is: keyof typeof TOLD}[]} */
export function phasesOf({ completedPhases, skippedPhases, currentPhase }) {
  const is = (/** @type {string} */ id) =>
    id === currentPhase ? "here" : skippedPhases.includes(id) ? "skipped" : completedPhases.includes(id) ? "done" : "ahead";
  return PHASES.map(([id, name]) => ({ id, name, is: is(id) }));
}

/** @param {ReturnType<typeof phasesOf>} phases */
export function showPhases(phases) {
  const one = (/** @type {ReturnType<typeof phasesOf>[number]} */ { id, name, is }) =>
    h("li", { key: id, class: is, "aria-current": is === "here" ? "step" : undefined }, name, h("span", { class: "unseen" }, `, ${TOLD[is]}`));
  return section("Phases", h("ol", { class: "phases" }, phases.map(one)));
}
