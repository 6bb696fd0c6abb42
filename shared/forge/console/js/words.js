/** How things are said: times, sums, and the words of the server in the words of people. No page, no network. */

/** @type {[number, number, string][]} */
const UNITS = [
  [60, 1, "s"],
  [3600, 60, "min"],
  [86400, 3600, "h"],
  [86400 * 60, 86400, "d"],
  [86400 * 730, 86400 * 30, "months"],
  [Infinity, 86400 * 365, "years"],
];

/** @param {string} iso @param {number} now in milliseconds @param {{isToCome?: boolean}} how what has happened is never
 * said to be ahead, because this clock may be behind the server's */
export function relative(iso, now, { isToCome = false } = {}) {
  const passed = Math.round((now - Date.parse(iso)) / 1000);
  const seconds = isToCome ? passed : Math.max(passed, 0);
  if (Number.isNaN(seconds)) return "";
  const distance = Math.abs(seconds);
  if (distance < 10) return "just now";
  const [, size, unit] = UNITS.find(([limit]) => distance < limit) ?? UNITS[0];
  const amount = `${Math.floor(distance / size)} ${unit}`;
  return seconds >= 0 ? `${amount} ago` : `in ${amount}`;
}

/** Making one takes a hundred times as long as using it. @type {Intl.DateTimeFormat | null} */
let whole = null;

export function absolute(iso) {
  const moment = new Date(iso);
  whole ??= new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "long" });
  return Number.isNaN(moment.getTime()) ? String(iso) : whole.format(moment);
}

export function usd(amount) {
  return `$${amount.toFixed(2)}`;
}

/** @param {{costUsd?: number | null}[]} runs @returns {number | null} null where no run said what it cost */
export function costOf(runs) {
  const known = runs.map((run) => run.costUsd).filter((cost) => cost !== null && cost !== undefined);
  return known.length ? known.reduce((sum, cost) => sum + cost, 0) : null;
}

/** `IN_PROGRESS` as `in progress`. */
export function plainly(name) {
  return String(name).toLowerCase().replaceAll("_", " ").replaceAll("-", " ");
}

/** Whatever it is, as words: a value with parts is shown as JSON rather than as nothing. */
export function plain(value) {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const SIZES = ["byte", "kilobyte", "megabyte", "gigabyte"];

/** @param {number} bytes */
export function sizeOf(bytes) {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), SIZES.length - 1);
  const amount = new Intl.NumberFormat("en", { style: "unit", unit: SIZES[step], unitDisplay: step ? "short" : "long", maximumFractionDigits: 1 });
  return amount.format(bytes / 1000 ** step);
}

export function counted(number, one, many = `${one}s`) {
  return `${number} ${number === 1 ? one : many}`;
}

/** The gravest first, and with them what only a newer Forge knows. */
const GRAVITY = { CRITICAL: 0, ERROR: 1, WARNING: 2, SUCCESS: 3, INFO: 4 };

export function gravity(severity) {
  return GRAVITY[severity] ?? 0;
}

const TONES = {
  CRITICAL: "bad",
  ERROR: "bad",
  WARNING: "warn",
  SUCCESS: "good",
  URGENT: "bad",
  HIGH: "warn",
  IN_PROGRESS: "live",
  IN_REVIEW: "warn",
  ACTIVE: "live",
  RUNNING: "live",
  PLANNING: "live",
  READY: "live",
  BUSY: "live",
  ONLINE: "good",
  WAITING: "warn",
  REVIEW: "warn",
  PENDING: "warn",
  OPEN: "warn",
  STALLED: "bad",
  BLOCKED: "bad",
  FAIL: "bad",
  REJECTED: "bad",
  REQUEST_CHANGES: "warn",
  DONE: "good",
  PASS: "good",
  APPROVE: "good",
  APPROVED: "good",
  RESOLVED: "good",
  ACHIEVED: "good",
  COMPLETED: "good",
};

export function toneOf(word) {
  return TONES[word] ?? "calm";
}

/** `Ada`, `@worker`; nobody's name is guessed. */
export function called(person, agent) {
  if (agent) return `@${agent.profileKey ?? agent.name ?? agent.id}`;
  if (person) return person.name ?? (person.handle ? `@${person.handle}` : person.id);
  return "somebody";
}
