import assert from "node:assert/strict";
import { test } from "node:test";

import { costOf, plain, plainly, relative, usd } from "../../../shared/forge/console/js/words.js";

const NOW = Date.parse("2026-11-18T12:00:00Z");

test("what has happened is never ahead, and what is to come may be", () => {
  assert.equal(relative("2026-11-18T11:58:00Z", NOW), "2 min ago");
  assert.equal(relative("2026-11-18T12:05:00Z", NOW), "just now");
  assert.equal(relative("2026-11-18T14:00:00Z", NOW, { isToCome: true }), "in 2 h");
  assert.equal(relative("2023-11-18T12:00:00Z", NOW), "3 years ago");
  assert.equal(relative("nonsense", NOW), "");
});

test("a value with parts is shown rather than as nothing", () => {
  assert.equal(plain({ a: 1 }), '{"a":1}');
  assert.equal(plainly("IN_PROGRESS"), "in progress");
});

test("what no run said is not nothing", () => {
  assert.equal(costOf([{ costUsd: null }, {}]), null);
  assert.equal(costOf([{ costUsd: 0.25 }, { costUsd: null }, { costUsd: 1 }]), 1.25);
  assert.equal(usd(1.255), "$1.25");
});
