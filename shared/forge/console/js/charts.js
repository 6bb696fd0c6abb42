/** Charts of numbers over time, drawn by uPlot, which is loaded when the first is shown; the same numbers as a table. */

import { useEffect, useRef } from "../vendor/hooks.js";
import { h } from "./dom.js";

const HEIGHT = 220;
/** Room for the names of days beneath it. */
const FOOT = 28;
const DAY = 86_400;
/** Days between two that are named. */
const STEPS = [1, 2, 7, 14, 28].map((days) => days * DAY);
const WHOLE = [1, 2, 5].flatMap((one) => [one, one * 10, one * 100, one * 1000, one * 10_000]).sort((one, other) => one - other);
const DAYS = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" });

/**
 * @typedef {{label: string, values: (number | null)[], tone?: string, isFilled?: boolean, isBars?: boolean}} Line `tone` is
 * the name of a colour in the style sheet: accent, good, warn, bad, live, faint
 */

/**
 * @param {{title: string, days: string[], lines: Line[], format?: (value: number) => string, height?: number}} given
 * `days` are dates such as 2026-11-18, one for each value
 */
export function Chart({ title, days, lines, format = String, height = HEIGHT }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const drawing = draw(place.current, { days, lines, format, height });
    return () => {
      drawing.then((end) => end());
    };
  }, [JSON.stringify([days, lines]), height]);
  const told = lines.map(({ label, values }) => `${label} ${said(values.findLast((one) => one !== null), format)}`).join(", ");
  return h(
    "figure",
    { class: "chart" },
    h("figcaption", null, title),
    h("div", { class: "plot", role: "img", "aria-label": `${title}. At last: ${told}.`, ref: place }),
    h("details", null, h("summary", null, "As a table"), h(Numbers, { days, lines, format })),
  );
}

/** @param {{days: string[], lines: Line[], format: (value: number) => string}} given */
function Numbers({ days, lines, format }) {
  const head = h("tr", null, h("th", null, "Day"), lines.map(({ label }) => h("th", { class: "align-right" }, label)));
  const row = (/** @type {string} */ day, /** @type {number} */ place) =>
    h("tr", null, h("td", null, day), lines.map((line) => h("td", { class: "align-right" }, said(line.values[place], format))));
  return h("div", { class: "table", tabindex: "0" }, h("table", null, h("thead", null, head), h("tbody", null, days.map(row))));
}

/** @param {number | null | undefined} value @param {(value: number) => string} format */
function said(value, format) {
  return value === null || value === undefined ? "–" : format(value);
}

/**
 * @param {HTMLElement | null} place
 * @param {{days: string[], lines: Line[], format: (value: number) => string, height: number}} given
 * @returns {Promise<() => void>} what ends it
 */
async function draw(place, { days, lines, format, height }) {
  const { default: Plot } = await import("../vendor/uplot.js");
  if (!place?.isConnected) return () => {};
  const seconds = days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1000);
  const options = optionsOf(Plot, { place, lines, format, height });
  const plot = new Plot(options, [seconds, ...lines.map(drawnOf)], place);
  const watching = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height }));
  watching.observe(place);
  return () => {
    watching.disconnect();
    plot.destroy();
  };
}

/** A bar of nothing would be drawn as a dash. @param {Line} line */
function drawnOf({ values, isBars }) {
  return isBars ? values.map((value) => value || null) : values;
}

/** @param {any} Plot @param {any} given @returns {any} */
function optionsOf(Plot, { place, lines, format, height }) {
  const style = getComputedStyle(place);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
  const hasBars = lines.some((/** @type {Line} */ { isBars }) => isBars);
  const axis = { stroke: colour("faint"), grid: { stroke: colour("line"), width: 1 }, ticks: { show: false } };
  return {
    width: place.clientWidth,
    height,
    tzDate: (/** @type {number} */ at) => Plot.tzDate(new Date(at * 1000), "Etc/UTC"),
    cursor: { points: { size: 6 }, drag: { setScale: false } },
    legend: { live: true },
    scales: {
      // What stands for a whole day has its room at both ends, too.
      x: {
        range: (/** @type {any} */ _, /** @type {number} */ first, /** @type {number} */ last) =>
          hasBars || first === last ? [first - DAY / 2, last + DAY / 2] : [first, last],
      },
      y: { range: (/** @type {any} */ _, /** @type {number} */ least, /** @type {number} */ most) => [Math.min(0, least), most * 1.05 || 1] },
    },
    axes: [
      { ...axis, size: FOOT, incrs: STEPS, space: 56, values: (/** @type {any} */ _, /** @type {number[]} */ ticks) => ticks.map(dayOf) },
      { ...axis, size: 60, ...(format === String && { incrs: WHOLE }), values: (/** @type {any} */ _, /** @type {number[]} */ ticks) => eachOnce(ticks.map(format)) },
    ],
    series: [
      { label: "", value: (/** @type {any} */ _, /** @type {number | null} */ at) => (at === null ? "" : dayOf(at)) },
      ...lines.map((/** @type {Line} */ line) => seriesOf(Plot, line, colour, format)),
    ],
  };
}

/** @param {number} at in seconds */
function dayOf(at) {
  return DAYS.format(at * 1000);
}

/** Of steps that are finer than what is said of them, the first is named. @param {string[]} texts */
function eachOnce(texts) {
  return texts.map((text, place) => (text === texts[place - 1] ? "" : text));
}

/** @param {any} Plot @param {Line} line @param {(name: string) => string} colour @param {(value: number) => string} format */
function seriesOf(Plot, line, colour, format) {
  const stroke = colour(line.tone ?? "accent");
  const isFilled = line.isFilled || line.isBars;
  return {
    label: line.label,
    stroke,
    width: 2,
    fill: isFilled ? `${stroke}33` : undefined,
    // A value between days without one has no line to be seen by.
    points: { show: !line.isBars && line.values.some((value, place) => isAlone(line.values, place)), size: 6 },
    paths: line.isBars ? Plot.paths.bars({ size: [0.7, 40] }) : undefined,
    // Until a day is pointed at there is none to tell of.
    value: (/** @type {any} */ _, /** @type {any} */ __, /** @type {number} */ ___, /** @type {number | null} */ place) =>
      typeof place === "number" ? said(line.values[place], format) : "",
  };
}

/** @param {(number | null)[]} values @param {number} place */
function isAlone(values, place) {
  return values[place] !== null && (values[place - 1] ?? null) === null && (values[place + 1] ?? null) === null;
}
