/** What goes wrong while nobody asks: deliveries given up, timers that died, keys about to end, budgets nearly spent. */

import { mayAdminister } from "./allowed.js";
import { call, rowsOf } from "./api.js";
import { serverNow } from "./clock.js";
import { keptFor } from "./keeping.js";
import { paths } from "./routes.js";
import { counted, plainly, usd } from "./words.js";

/** They change slowly, and are several calls. */
const KEPT_MS = 60_000;
const DAY_MS = 86_400_000;
const ENDING_DAYS = 7;
/** Of a budget: what is nearly spent is worth a look before it is. */
const NEARLY = 0.8;
const MOST_GOALS = 20;

export const readTroubles = keptFor(KEPT_MS, read);

/** @returns {Promise<any[]>} rows as those of the inbox */
async function read() {
  const isAdmin = await mayAdminister();
  const [deliveries, timers, keys, goals] = await Promise.all([
    isAdmin ? rowsOf("admin/webhookDeliveries.list", { status: "DEAD_LETTER" }) : [],
    isAdmin ? rowsOf("admin/timers.list", { state: "DEAD" }) : [],
    isAdmin ? rowsOf("admin/keys.list") : [],
    readBudgets(),
  ]);
  const now = serverNow();
  return [...ofDeliveries(deliveries), ...ofTimers(timers), ...ofKeys(keys, now), ...ofBudgets(goals)];
}

/** Only a goal itself says what was spent. */
async function readBudgets() {
  const active = await rowsOf("goals.list", { status: "ACTIVE" });
  const bounded = active.filter((/** @type {any} */ goal) => goal.maxTotalCostUsd !== null).slice(0, MOST_GOALS);
  return Promise.all(bounded.map((/** @type {any} */ goal) => call("goals.get", { id: goal.id })));
}

/** All deliveries that were given up are one trouble for each receiver. @param {any[]} deliveries */
export function ofDeliveries(deliveries) {
  const receiverOf = (one) => one.webhookId ?? one.agentId ?? "";
  const receivers = [...new Set(deliveries.map(receiverOf))];
  const groups = receivers.map((receiver) => ({ receiver, those: deliveries.filter((one) => receiverOf(one) === receiver) }));
  return groups.map(({ receiver, those }) =>
    trouble({
      id: `deliveries ${receiver}`,
      title: `${counted(those.length, "delivery was", "deliveries were")} given up: the receiver ${answerOf(those[0])}`,
      kind: "Delivery",
      severity: "ERROR",
      did: "failed",
      by: "a webhook",
      at: those[0].createdAt,
      path: paths.webhooks,
    }),
  );
}

function answerOf({ responseStatus }) {
  return responseStatus ? `answers ${responseStatus}` : "does not answer";
}

/** @param {any[]} timers */
export function ofTimers(timers) {
  return timers.map((one) =>
    trouble({
      id: one.id,
      title: `Forge gave up on ${plainly(one.subject)} after ${counted(one.tries, "try", "tries")}: ${one.lastError}`,
      ...{ kind: "Timer", severity: "ERROR", did: "died", by: "a timer", at: one.failingSince, path: paths.health },
    }),
  );
}

/** Keys of sessions and runs end all the time. @param {any[]} keys @param {number} now */
export function ofKeys(keys, now) {
  const isEnding = ({ kind, expiresAt, revokedAt }) =>
    kind !== "SESSION" && !revokedAt && expiresAt && Date.parse(expiresAt) > now - DAY_MS && Date.parse(expiresAt) < now + ENDING_DAYS * DAY_MS;
  return keys.filter(isEnding).map((key) =>
    trouble({
      id: key.id,
      title: `The key ${key.name} ${Date.parse(key.expiresAt) < now ? "has ended" : "ends soon"}`,
      ...{ kind: "Key", severity: "WARNING", did: "made", by: "it was", at: key.createdAt, dueAt: key.expiresAt, path: paths.keys },
    }),
  );
}

/** @param {any[]} goals */
export function ofBudgets(goals) {
  return goals
    .filter((goal) => goal.totalCostUsd >= NEARLY * goal.maxTotalCostUsd)
    .map((goal) =>
      trouble({
        id: `budget ${goal.id}`,
        title: `${goal.title} has spent ${usd(goal.totalCostUsd)} of at most ${usd(goal.maxTotalCostUsd)}`,
        ...{ kind: "Budget", severity: "WARNING", did: "changed", by: "it", at: goal.updatedAt, path: paths.goal(goal.id) },
      }),
    );
}

function trouble({ id, title, kind, severity, did, by, at, path, dueAt = null }) {
  const plain = { about: "", isOverdue: false, isYours: true, isMine: false, holds: null, heldUp: 0 };
  return { id, path, title, severity, kind, by, did, createdAt: at, dueAt, ...plain, card: null };
}
