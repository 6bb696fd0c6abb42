import assert from "node:assert/strict";
import { test } from "node:test";

import { keptFor } from "../../../shared/forge/console/js/keeping.js";

let key = "mine";
Object.assign(globalThis, { document: { cookie: "" }, sessionStorage: { getItem: () => key } });

test("what changes seldom is read once, and anew when asked, or for another key", async () => {
  let reads = 0;
  const read = keptFor(60_000, async () => (reads += 1));
  assert.deepEqual([await read(), await read(), await read({ isFresh: true })], [1, 1, 2]);
  key = "yours";
  assert.equal(await read(), 3);
});

test("what was kept long enough is read anew", async () => {
  let reads = 0;
  const read = keptFor(-1, async () => (reads += 1));
  assert.deepEqual([await read(), await read()], [1, 2]);
});

test("what failed is asked for again", async () => {
  let reads = 0;
  const read = keptFor(60_000, async () => {
    reads += 1;
    if (reads === 1) throw new Error("gone");
    return "there";
  });
  await assert.rejects(read());
  assert.equal(await read(), "there");
});
