import assert from "node:assert/strict";
import { test } from "node:test";

import { tried } from "../../../shared/forge/console/js/operating/connections.js";
import { aboutOf, argumentsOf, named } from "../../../shared/forge/console/js/operating/forms.js";
import { may } from "../../../shared/forge/console/js/operating/operate.js";
import { viewOf } from "../../../shared/forge/console/js/operating/page.js";
import { keys } from "../../../shared/forge/console/js/operating/team.js";
import { changesOf, nameOf, pathOf } from "../../../shared/forge/console/js/operating/changes.js";
import { exportsOf, openedExport } from "../../../shared/forge/console/js/operating/workspace.js";
import { TOOLS } from "../../../shared/forge/console/js/operating/tools.js";

const saying = (said) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(said)) for (const one of [value].flat()) form.append(name, one);
  return form;
};
const field = (name, kind) => ({ name, kind, about: "" });
const ALL = ["READ_ISSUES", "WRITE_ISSUES", "ADMIN", "READ_USERS"];

test("what was left empty is left out, and the rest is as the tool takes it", () => {
  const fields = [field("name", "text"), field("order", "number"), field("enabled", "flag"), field("ids", "many"), field("scopes", "choices"), field("config", "json")];
  const said = saying({ name: " Urgent ", order: "", enabled: "false", ids: "a, b\nc", scopes: ["X", "Y"], config: '{"a": 1}' });
  assert.deepEqual(argumentsOf(said, fields, null), { name: "Urgent", enabled: false, ids: ["a", "b", "c"], scopes: ["X", "Y"], config: { a: 1 } });
});

test("of what was there only what differs is sent, and what was emptied is cleared", () => {
  const fields = [field("name", "text"), field("order", "number"), field("priority", "choice"), field("labelId", "text")];
  const row = { name: "Old", order: 3, priority: "HIGH", labelId: null };
  const how = { clearable: ["priority", "labelId"] };
  assert.deepEqual(argumentsOf(saying({ name: "Old", order: "3", priority: "HIGH", labelId: "" }), fields, row, how), {});
  assert.deepEqual(argumentsOf(saying({ name: "New", order: "3", priority: "", labelId: "" }), fields, row, how), { name: "New", clear: ["priority"] });
});

test("what is no JSON is refused in words", () => {
  assert.throws(() => argumentsOf(saying({ config: "{" }), [field("config", "json")], null), /no JSON/);
});

test("whoever presses a button is not told what those who call a tool are", () => {
  const told = ["keys.create", "agentCrews.addMember", "members.update", "statuses.create", "dispatchRules.dryRun"].map(aboutOf);
  const all = ["Make an API key.", "Put an agent into a crew, behind all others.", "Change a member's name, handle or time zone.", "Add a status."];
  assert.deepEqual(told, [...all, "Tell who would get an issue by the rules and agents as they are now; nothing is given to anybody."]);
  for (const tool of Object.keys(TOOLS)) assert.match(aboutOf(tool), /^[A-Z].*[.]$/);
});

test("fields are called as people would", () => {
  assert.deepEqual(["maxConcurrent", "linkedAgentId", "projectIds", "id", "plansNeedAPerson"].map(named), ["Max concurrent", "Linked agent", "Projects", "Id", "Plans need a person"]);
  assert.deepEqual(["assignmentSlaMinutes", "runCostBudgetUsd", "attachmentQuotaMb", "webhookUrl"].map(named), ["Assignment SLA minutes", "Run cost budget USD", "Attachment quota MiB", "Webhook URL"]);
});

test("whoever may not is offered nothing, whatever they see", () => {
  const member = { role: "MEMBER", scopes: ALL };
  const owner = { role: "OWNER", scopes: ALL };
  assert.equal(may(member, "keys.create"), false);
  assert.equal(may(owner, "keys.create"), true);
  assert.equal(may({ role: "OWNER", scopes: ["READ_ISSUES"] }, "keys.create"), false);
  assert.equal(may(member, "runs.kick"), true);
  assert.equal(may(null, "runs.kick"), false);
});

test("a page is its description: columns, rows, and what may be done to each", () => {
  const key = { id: "key_1", name: "laptop", prefix: "forge_sk_a", kind: "AGENT", scopes: ["READ_ISSUES"], linkedAgentId: "agt_1", projectIds: ["p"], labelIds: [], initiativeIds: [], lastUsedAt: null, expiresAt: null, revokedAt: null };
  const read = { rows: [key, { ...key, id: "key_2", revokedAt: "2026-11-18T12:00:00Z" }], isCut: false };
  const agents = [{ id: "agt_1", profileKey: "worker" }];
  const as = (role) => viewOf(keys, { viewer: { role, scopes: ALL }, agents, lists: [read] }).parts;
  const [row, ...others] = as("OWNER")["Live keys"].rows;
  assert.equal(others.length, 0);
  assert.deepEqual(row.cells.slice(0, 4).map(({ text }) => text), ["laptop", "forge_sk_a", "AGENT", "@worker"]);
  assert.deepEqual([row.acts.length, as("MEMBER")["Live keys"].rows[0].acts.length, as("MEMBER").about.makes.length], [2, 0, 0]);
  assert.deepEqual(as("OWNER").about.suggestions.linkedAgentId, [{ value: "agt_1", text: "@worker" }]);
});

test("every description names tools and fields that there are", async () => {
  const files = ["team", "connections", "workspace"].map((name) => import(`../../../shared/forge/console/js/operating/${name}.js`));
  const descriptions = (await Promise.all(files)).flatMap((module) => Object.values(module)).filter((one) => one?.lists);
  assert.equal(descriptions.length, 10);
  const knows = (tool, name) => assert.ok(TOOLS[tool].fields.some((one) => one.name === name), `${tool}: ${name}`);
  for (const { makes = [], lists } of descriptions) {
    for (const { tool, given, filters = {} } of lists) for (const name of Object.keys({ ...given?.({}), ...filters })) knows(tool, name);
    for (const act of [...makes, ...lists.flatMap(({ acts = [] }) => acts)])
      for (const name of [...(act.fields ?? []), ...Object.keys(act.given?.({}) ?? {})]) knows(act.tool, name);
  }
});

test("several things are chosen by their names, and sent by their ids", () => {
  const fields = [field("labelIds", "many"), field("from", "time")];
  const asked = argumentsOf(new URLSearchParams([["labelIds", "lbl_1"], ["labelIds", "lbl_2"], ["from", "2026-11-18T12:00Z"]]), fields, null);
  assert.deepEqual(asked, { labelIds: ["lbl_1", "lbl_2"], from: "2026-11-18T12:00:00.000Z" });
});

test("a change is told in words, by the names of what it is about", () => {
  const names = { usr_1: "Ada", sta_1: "Todo" };
  const row = { entity: "issue", entityId: "iss_1", before: { statusId: null, title: "Old" }, after: { statusId: "sta_1", title: "New" }, payload: { by: "usr_1", mode: "ROUND_ROBIN", queued: false } };
  assert.deepEqual(changesOf(row, names), ["Status: Todo", "Title: Old → New", "By: Ada", "Mode: round robin", "Queued: no"]);
  assert.equal(nameOf(row, names), "New");
  assert.equal(nameOf({ entity: "repository", entityId: "repo_1", payload: { fullName: "acme/site" } }, {}), "acme/site");
  assert.equal(pathOf(row), "/console/issues/iss_1");
});

test("an export is one row, whatever the log has of it", () => {
  const row = (action, at, entityId = "exp_1") => ({ action, at, entityId });
  const data = [row("order", "3", "exp_2"), row("finish", "2"), row("order", "1")];
  assert.deepEqual(exportsOf({ data }), [{ id: "exp_2", at: "3", state: "RUNNING" }, { id: "exp_1", at: "1", state: "DONE" }]);
  const told = openedExport({ status: "DONE", items: 12, bytes: 45_600, parts: 1, url: "https://x.example/y" });
  assert.deepEqual(told.rows, [["Lines", "12"], ["Size", "45.6 kB"]]);
});

test("what destroys says what it does before it is done", async () => {
  const files = ["team", "connections", "workspace"].map((name) => import(`../../../shared/forge/console/js/operating/${name}.js`));
  const lists = (await Promise.all(files)).flatMap((module) => Object.values(module)).flatMap((one) => one?.lists ?? []);
  for (const act of lists.flatMap(({ acts = [] }) => acts)) if (/delete|remove|revoke|archive/.test(act.tool) && act.tool !== "agentCrews.removeMember") assert.ok(act.asks && act.tone === "danger", act.tool);
});

test("a dry run tells who, why, and what speaks against it", () => {
  const agent = { profileKey: "worker", eligible: true };
  const told = tried({ chosen: agent, against: "not-queued", reason: "round-robin", mode: "ROUND_ROBIN", candidates: [agent, { profileKey: "busy", eligible: false }] });
  assert.equal(told.text, "@worker would get it, but it is left alone as it stands: not queued.");
  assert.equal(tried({ chosen: null, against: "auto-dispatch-off", reason: "not-given-out", mode: "MANUAL_ONLY", candidates: [] }).text, "Nobody would get it: auto dispatch off.");
  assert.deepEqual(told.rows.at(-1), ["Without", "@busy"]);
});
