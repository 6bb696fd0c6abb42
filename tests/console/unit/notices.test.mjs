import assert from "node:assert/strict";
import { test } from "node:test";

import { notice } from "../../../shared/forge/console/js/notices.js";

/** A browser whose tab nobody looks at, and what it told. */
function tab({ isHidden = true, permission = "granted" } = {}) {
  const told = [];
  class Told {
    static permission = permission;
    constructor(text, { tag }) {
      told.push([text, tag]);
    }
    addEventListener() {}
  }
  Object.assign(globalThis, { document: { hidden: isHidden }, window: { Notification: Told }, Notification: Told });
  return told;
}

test("more that waits is told to whoever looks elsewhere and asked for it", () => {
  const told = tab();
  notice(2, 1);
  notice(1, 2);
  notice(1, 1);
  assert.deepEqual(told, [["Forge: 2 things wait for you", "forge"]]);
});

test("nobody else is told", () => {
  for (const how of [{ isHidden: false }, { permission: "default" }, { permission: "denied" }]) {
    const told = tab(how);
    notice(2, 1);
    assert.deepEqual(told, []);
  }
});
