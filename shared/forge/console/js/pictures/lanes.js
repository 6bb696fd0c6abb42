/** Who was at work when: a lane for each, with a bar for each stretch of work. */

import { goTo, h } from "../dom.js";
import { toneOf } from "../words.js";
import { stacked, ticksOf, within } from "./spans.js";

const ROW = 1.25;
/** A time that is named further to the right would stand outside. */
const LAST = 94;

/**
 * @typedef {{id: string, startedAt: string, finishedAt: string | null, status: string, text: string, path: string}} Bar
 * @typedef {{id: string, name: string, path?: string, bars: Bar[]}} Lane
 */

/**
 * @param {{lanes: Lane[], from: number, to: number, now: number, label: string}} given
 */
export function Lanes({ lanes, from, to, now, label }) {
  const frame = { from, to };
  return h(
    "div",
    { class: "lanes", role: "group", "aria-label": label },
    h(Scale, { frame }),
    lanes.map((lane) => h(LaneRow, { key: lane.id, lane, frame, now })),
  );
}

/** @param {{lane: Lane, frame: import("./spans.js").Frame, now: number}} given */
function LaneRow({ lane, frame, now }) {
  const placed = lane.bars.flatMap((bar) => {
    const at = within(bar, frame, now);
    return at ? [{ ...at, bar }] : [];
  });
  placed.sort((one, other) => one.left - other.left);
  const bars = stacked(placed);
  const rows = Math.max(1, ...bars.map(({ row }) => row + 1));
  return h(
    "div",
    { class: "agent-lane" },
    h("div", { class: "name" }, lane.path ? goTo(lane.path, lane.name) : lane.name),
    h(
      "div",
      { class: "track", style: { height: `${rows * ROW + 0.25}rem` } },
      bars.map(({ bar, left, width, row }) =>
        h("a", {
          key: bar.id,
          href: bar.path,
          class: `lane-bar tone-${toneOf(bar.status)}${bar.finishedAt ? "" : " open"}`,
          style: { left: `min(${left}%, 100% - 0.375rem)`, width: `max(${width}%, 0.375rem)`, top: `${row * ROW + 0.125}rem` },
          title: bar.text,
          "aria-label": bar.text,
        }),
      ),
    ),
  );
}

/** @param {{frame: import("./spans.js").Frame}} given */
export function Scale({ frame }) {
  const isLong = frame.to - frame.from > 2 * 86_400_000;
  return h(
    "div",
    { class: "agent-lane scale", "aria-hidden": "true" },
    h("div", { class: "name" }),
    h(
      "div",
      { class: "track" },
      ticksOf(frame)
        .filter(({ left }) => left < LAST)
        .map(({ at, left }) => h("span", { key: at, style: { left: `${left}%` } }, said(at, isLong))),
    ),
  );
}

/** @param {number} at @param {boolean} isLong */
function said(at, isLong) {
  const format = /** @type {Intl.DateTimeFormatOptions} */ (
    isLong ? { month: "short", day: "numeric" } : { hour: "2-digit", minute: "2-digit", hour12: false }
  );
  return new Intl.DateTimeFormat("en", format).format(at);
}
