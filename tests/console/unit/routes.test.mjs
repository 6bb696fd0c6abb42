import assert from "node:assert/strict";
import { test } from "node:test";

import { PLACES, ROUTES } from "../../../shared/forge/console/js/areas.js";
import { at, isOurs, paths, routeOf } from "../../../shared/forge/console/js/routes.js";

const routed = (path) => routeOf(ROUTES, new URL(path, "https://forge.example"));

test("every path that is built leads to its page and back", () => {
  assert.equal(routed(paths.inbox).name, "inbox");
  assert.equal(routed(`${paths.inbox}/`).name, "inbox");
  assert.deepEqual(routed(paths.issue("DEMO-12")).params, { id: "DEMO-12" });
  assert.deepEqual(routed(paths.request("a/b?c")).params, { id: "a/b?c" });
  assert.deepEqual(routed(paths.pipeline("x", "design.md")).params, { file: "design.md", name: "x" });
  assert.equal(routed("/console/no/such").name, "missing");
});

test("what stands behind the question mark never overrules the path", () => {
  assert.deepEqual(routed("/console/issues/DEMO-1?id=DEMO-2").params, { id: "DEMO-1" });
  assert.equal(at("/board", { q: "a b", project: "" }), "/console/board?q=a+b");
});

test("only paths beneath ours are ours", () => {
  assert.equal(isOurs("/console/board"), true);
  assert.equal(isOurs("/consoles"), false);
});

test("every place of the navigation is a page, and no two have one key", () => {
  for (const place of PLACES) {
    assert.ok(place.pages.includes(routed(place.path).name), place.path);
  }
  const keys = PLACES.map(({ key }) => key).filter(Boolean);
  assert.equal(new Set(keys).size, keys.length);
});
