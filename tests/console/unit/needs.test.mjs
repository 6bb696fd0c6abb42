import assert from "node:assert/strict";
import { test } from "node:test";

import { ofBudgets, ofDeliveries, ofKeys } from "../../../shared/forge/console/js/troubles.js";
import { sortWaiting } from "../../../shared/forge/console/js/waiting.js";

const NOW = Date.parse("2026-11-18T12:00:00Z");
const asked = (id, more) => ({ id, title: id, severity: "INFO", createdAt: "2026-11-18T10:00:00Z", requestedByAgentId: "a", ...more });
const none = { rows: [], isCut: false };

test("what can't wait comes first, then who stands still, then the gravest, then the oldest", () => {
  const requests = [
    asked("of a person", { requestedByAgentId: null, requestedByUserId: "u" }),
    asked("newer", { createdAt: "2026-11-18T11:00:00Z" }),
    asked("older"),
    asked("grave", { severity: "ERROR" }),
    asked("plan", { sourceType: "execution-plan" }),
    asked("critical", { severity: "CRITICAL" }),
    asked("of somebody else", { assignedUserId: "other" }),
  ];
  const run = { id: "run", status: "WAITING", currentStep: "stuck", lastEventAt: "2026-11-18T11:30:00Z", issue: { identifier: "D-1" } };
  const sorted = sortWaiting({ mine: none, all: { rows: requests, isCut: false }, gates: { data: [] }, runs: { data: [run] }, names: {} });
  const order = ["critical", "run", "plan", "grave", "older", "newer", "of a person"];
  assert.deepEqual(sorted.yours.map(({ id }) => id), order);
  assert.deepEqual(sorted.others.map(({ id }) => id), ["of somebody else"]);
});

test("deliveries that were given up are one trouble for each receiver", () => {
  const dead = (webhookId) => ({ webhookId, responseStatus: 500, createdAt: "2026-11-18T10:00:00Z" });
  const found = ofDeliveries([dead("a"), dead("a"), dead("b")]);
  assert.equal(found.length, 2);
  assert.match(found[0].title, /2 deliveries were given up: the receiver answers 500/);
});

test("a key is told of when it is about to end, and keys of sessions never are", () => {
  const key = (id, expiresAt, more) => ({ id, name: id, kind: "PERSONAL", createdAt: "2026-01-01T00:00:00Z", expiresAt, ...more });
  const keys = [
    key("soon", "2026-11-20T12:00:00Z"),
    key("later", "2027-11-20T12:00:00Z"),
    key("long ago", "2026-10-20T12:00:00Z"),
    key("never", null),
    key("revoked", "2026-11-20T12:00:00Z", { revokedAt: "2026-11-01T12:00:00Z" }),
    key("session", "2026-11-18T13:00:00Z", { kind: "SESSION" }),
  ];
  assert.deepEqual(ofKeys(keys, NOW).map(({ id }) => id), ["soon"]);
});

test("a budget is told of when it is nearly spent", () => {
  const goal = (id, totalCostUsd) => ({ id, title: id, totalCostUsd, maxTotalCostUsd: 10, updatedAt: "2026-11-18T10:00:00Z" });
  assert.deepEqual(ofBudgets([goal("a", 7.9), goal("b", 8), goal("c", 12)]).map(({ title }) => title[0]), ["b", "c"]);
});
