import assert from "node:assert/strict";
import { test } from "node:test";

import { drawnOf } from "../../../shared/forge/console/js/markdown.js";
import { written } from "./drawn.mjs";

const shown = (text) => written(drawnOf(text));

test("markup in a text stays text", () => {
  assert.equal(shown("<b>bold</b>").includes("<b>"), false);
  assert.equal(shown("one <img src=x onerror=alert(1)> two").includes("<img"), false);
  assert.match(shown("<script>alert(1)</script>"), /&lt;script>/);
});

test("a link shows where it leads, and leads nowhere else than the web", () => {
  assert.match(shown("[home](https://example.com/a)"), /<a href="https:\/\/example.com\/a".*home.*\(https:\/\/example.com\/a\)/);
  assert.equal(shown("[x](javascript:alert(1))").includes("<a "), false);
  assert.match(shown("[x](javascript:alert(1))"), /\(javascript:alert\(1\)\)/);
  assert.equal(shown("![p](https://example.com/p.png)").includes("<img"), false);
});

test("tables, nested lists and tasks are drawn as such", () => {
  assert.match(shown("| a | b |\n|---|--:|\n| 1 | 2 |"), /<th>a<\/th><th class="align-right">b<\/th>.*<td>1<\/td>/);
  assert.match(shown("- one\n  - two"), /<ul><li>.*one.*<ul><li>.*two.*<\/li><\/ul><\/li><\/ul>/);
  assert.match(shown("- [x] done\n- [ ] open"), /class="task checked".*aria-label="done".*done.*aria-label="open".*open/);
});

test("marks that turn or hide text are made visible", () => {
  assert.match(shown("a\u202eb"), /a\ufffdb/);
});

test("whatever somebody wrote is drawn in no time", () => {
  const marks = ["_a".repeat(20_000), `${"a.".repeat(20_000)}@`, "> - ".repeat(9_000), "***a".repeat(9_000)];
  const hostile = [...marks, ">".repeat(50_000), "[".repeat(50_000), "*a ".repeat(20_000), "- ".repeat(20_000), "|a".repeat(20_000)];
  for (const text of [...hostile, "`".repeat(50_000), "<a ".repeat(15_000), "![](".repeat(12_000), "\n> ".repeat(15_000)]) {
    const begun = performance.now();
    shown(text);
    assert.ok(performance.now() - begun < 1_000, `${text.slice(0, 6)}… took ${Math.round(performance.now() - begun)} ms`);
  }
});
