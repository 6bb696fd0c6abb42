/** What operators look after: each act of the pages, once, and what others see of them. */

import { call, facts, operator, require, shows } from "./browser.mjs";
import { isShown } from "./places.mjs";
import { accessibleEverywhere, inert } from "./reading.mjs";

const { keys } = facts;
const PAGES = ["members", "keys", "crews", "dispatch", "repositories", "webhooks", "settings", "audit?entity=label", "exports", "health"];
export const operatorPages = PAGES.map((name) => `/console/${name}`);

let owners = 0;
const asOwner = (browser, path) => operator(browser, path, { key: keys.operators[owners++ % keys.operators.length] });
const dialog = (page) => page.locator("dialog.act");

/** Past the browser, by the operators' door. */
async function admin(key, tool, given = {}) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await fetch(`${facts.baseUrl}/api/admin/${tool}`, { method: "POST", headers, body: JSON.stringify(given) });
  return { status: response.status, body: await response.json() };
}

async function a_new_key_is_shown_once_and_can_be_revoked(browser) {
  const { page, context, complaints } = await asOwner(browser, "/console/keys");
  await page.getByRole("button", { name: "Make a key" }).click();
  await dialog(page).getByLabel("Name").fill("pipeline");
  await dialog(page).getByLabel("read issues").check();
  await dialog(page).getByRole("button", { name: "Make a key" }).click();
  const secret = await dialog(page).locator("pre.secret").innerText();
  require((await fetch(`${facts.baseUrl}/api/mcp/issues.list`, { method: "POST", headers: { authorization: `Bearer ${secret}` } })).status === 200, "the key does not work");
  await dialog(page).getByRole("button", { name: "Close" }).click();
  await shows(page, "pipeline");
  require(!(await page.content()).includes(secret), "the key is still there");
  await page.getByRole("button", { name: "Revoke: pipeline" }).click();
  require((await fetch(`${facts.baseUrl}/api/mcp/issues.list`, { method: "POST", headers: { authorization: `Bearer ${secret}` } })).status === 200, "revoked without a question");
  await dialog(page).getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("button", { name: "Revoke: pipeline" }).waitFor({ state: "detached" });
  require((await fetch(`${facts.baseUrl}/api/mcp/issues.list`, { method: "POST", headers: { authorization: `Bearer ${secret}` } })).status === 401, "the key still works");
  await context.close();
  return complaints;
}

async function rules_are_made_tried_and_deleted(browser) {
  const { page, context, complaints } = await asOwner(browser, "/console/dispatch");
  await page.getByRole("button", { name: "Make a rule" }).click();
  await dialog(page).getByLabel("Name").fill("Urgent ones");
  await dialog(page).getByLabel("Target agent").selectOption({ label: "@worker" });
  await dialog(page).getByLabel("Label").selectOption({ label: "accessibility" });
  await dialog(page).getByLabel("Priority").selectOption("URGENT");
  await dialog(page).getByRole("button", { name: "Make a rule" }).click();
  await page.locator("tr", { hasText: "Urgent ones" }).getByText("urgent, label accessibility").waitFor();
  await page.getByRole("button", { name: "Who would get this?" }).click();
  await dialog(page).getByLabel("Issue").fill(facts.issues.hostile);
  await dialog(page).getByRole("button", { name: "Who would get this?" }).click();
  await dialog(page).getByText("Nobody would get it").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Edit: Urgent ones" }).click();
  await dialog(page).getByLabel("Enabled").selectOption("false");
  await dialog(page).getByRole("button", { name: "Edit" }).click();
  await page.locator("tr", { hasText: "Urgent ones" }).getByText("off").waitFor();
  await page.getByRole("button", { name: "Delete: Urgent ones" }).click();
  await dialog(page).getByText("gone for good").waitFor();
  await dialog(page).getByRole("button", { name: "Delete" }).click();
  await shows(page, "There are no rules");
  await context.close();
  return complaints;
}

async function a_webhook_is_made_with_its_secret_and_deleted(browser) {
  const { page, context, complaints } = await asOwner(browser, "/console/webhooks");
  await page.getByRole("button", { name: "Make a webhook" }).click();
  await dialog(page).getByLabel("Url").fill("no address");
  await dialog(page).getByRole("button", { name: "Make a webhook" }).click();
  await dialog(page).getByRole("alert").waitFor();
  await dialog(page).getByLabel("Url").fill("https://ci.example.com/hook");
  await dialog(page).getByRole("button", { name: "Make a webhook" }).click();
  require((await dialog(page).locator("pre.secret").innerText()).length >= 16, "no secret");
  await dialog(page).getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Delete: https://ci.example.com/hook" }).click();
  await dialog(page).getByRole("button", { name: "Delete" }).click();
  await shows(page, "Nobody is told by webhook.");
  await context.close();
  return complaints;
}

async function members_and_their_roles_are_changed(browser) {
  const { page, context, complaints } = await asOwner(browser, "/console/members");
  await page.getByRole("button", { name: "Add a member" }).click();
  await dialog(page).getByLabel("Email").fill("grace@example.com");
  await dialog(page).getByLabel("Name").fill("Grace");
  await dialog(page).getByRole("button", { name: "Add a member" }).click();
  await shows(page, "grace@example.com");
  await page.getByRole("button", { name: "Role: Grace" }).click();
  await dialog(page).getByLabel("Role").selectOption("ADMIN");
  await dialog(page).getByRole("button", { name: "Role" }).click();
  await page.locator("tr", { hasText: "grace@example.com" }).getByText("admin", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Remove: Grace" }).click();
  await dialog(page).getByRole("button", { name: "Remove" }).click();
  await page.getByText("grace@example.com").first().waitFor({ state: "detached" });
  await context.close();
  return complaints;
}

async function a_setting_is_changed_and_the_audit_has_it(browser) {
  const { page, context, complaints } = await asOwner(browser, "/console/settings");
  await page.getByRole("button", { name: "Change: Agent run stale minutes" }).click();
  await dialog(page).getByLabel("Agent run stale minutes").fill("45");
  await dialog(page).getByRole("button", { name: "Change" }).click();
  await page.locator("tr", { hasText: "Agent run stale minutes" }).getByText("45", { exact: true }).waitFor();
  await page.goto(`${facts.baseUrl}/console/audit`);
  await shows(page, "workspace update");
  const row = page.locator("tr", { hasText: "workspaces.update" }).first();
  await row.getByText("Agent run stale minutes: 30 → 45").waitFor();
  require((await row.innerText()).includes("Owner"), await row.innerText());
  await page.getByLabel("Kind of thing").selectOption({ label: "cycle" });
  await page.locator("tr", { hasText: "November" }).first().waitFor();
  await page.getByText("workspaces.update").waitFor({ state: "detached" });
  require(new URL(page.url()).searchParams.get("entity") === "cycle", page.url());
  await context.close();
  return complaints;
}

async function everything_is_exported_and_downloaded(browser) {
  const { page, context, complaints } = await asOwner(browser, "/console/exports");
  await page.getByRole("button", { name: "Export everything" }).click();
  await dialog(page).getByRole("button", { name: "Export everything" }).click();
  await dialog(page).getByText("It is being written").waitFor();
  await dialog(page).getByRole("button", { name: "Close" }).click();
  await page.locator("tr").getByText("done", { exact: true }).waitFor({ timeout: 40_000 });
  await page.getByRole("button", { name: /^Open/ }).click();
  await dialog(page).getByRole("button", { name: "Open" }).click();
  const address = await dialog(page).getByRole("link", { name: "Download" }).getAttribute("href");
  const lines = (await (await fetch(address)).text()).trim().split("\n");
  require(lines.length > 100 && JSON.parse(lines[0]).export, `${lines.length} lines`);
  await context.close();
  return complaints;
}

async function an_agent_is_paused_and_goes_on(browser) {
  const { page, context, complaints } = await asOwner(browser, "/console/agents");
  await page.getByRole("button", { name: "Pause: @planner" }).click();
  await dialog(page).getByRole("button", { name: "Pause" }).click();
  await page.locator(".row", { hasText: "@planner" }).getByText("paused").waitFor();
  await page.getByRole("button", { name: "Let it go on: @planner" }).click();
  await dialog(page).getByRole("button", { name: "Let it go on" }).click();
  await page.getByRole("button", { name: "Pause: @planner" }).waitFor();
  require((await page.getByRole("button", { name: /^Kick: / }).count()) > 0, "no run can be kicked");
  require((await page.getByRole("button", { name: "Archive: @planner" }).count()) === 1, "nothing archives");
  await context.close();
  return complaints;
}

async function a_reply_is_read_while_it_is_written(browser) {
  const { page, context, complaints } = await asOwner(browser, "/console/chat/worker");
  await page.getByLabel("Your message").fill("How far are you?");
  await page.getByRole("button", { name: "Send" }).click();
  await page.locator(".message.own", { hasText: "How far are you?" }).waitFor();
  const { body } = await admin(keys.owner, "threads.list");
  const threadId = body.data[0].id;
  const agent = keys.agents.worker;
  const { draftId } = await call(agent, "chat.startDraft", { threadId });
  await call(agent, "chat.appendDraftChunk", { threadId, draftId, delta: "Half of " });
  await page.locator(".message.writing", { hasText: "Half of" }).waitFor({ timeout: 40_000 });
  await call(agent, "chat.appendDraftChunk", { threadId, draftId, delta: "it is done." });
  await call(agent, "chat.finalizeDraft", { threadId, draftId, body: `Half of it is done. ${facts.hostile}` });
  await page.locator(".chat .message", { hasText: "Half of it is done." }).waitFor({ timeout: 40_000 });
  await page.locator(".message.writing").waitFor({ state: "detached", timeout: 40_000 });
  require(await inert(page, "a chat"), "nothing hostile was said");
  await accessibleEverywhere(page, "a chat");
  await context.close();
  return complaints;
}

async function who_has_no_right_sees_no_button_and_is_refused(browser) {
  const { page, context, complaints } = await operator(browser, "/console/keys", { key: keys.member });
  for (const path of operatorPages) {
    await page.goto(`${facts.baseUrl}${path}`);
    await page.locator("main .parts > *").first().waitFor();
    await page.getByText("Loading…").waitFor({ state: "detached" });
    require((await page.locator("main button:not(:text('Try again'))").count()) === 0, `${path} offers ${await page.locator("main button").allInnerTexts()}`);
  }
  await page.goto(`${facts.baseUrl}/console/agents`);
  await page.locator(".row").first().waitFor();
  require((await page.getByRole("button", { name: /Archive|Pause|Edit/ }).count()) === 0, "offers to change agents");
  for (const tool of ["keys.list", "members.list", "audit.list"]) require((await admin(keys.member, tool)).status === 403, `${tool} is not refused`);
  await context.close();
  return complaints;
}

async function pages_of_operators_can_be_read_by_everybody(browser) {
  const heard = [];
  const hostile = [];
  for (const path of [...operatorPages, "/console/agents"]) {
    const { page, context, complaints } = await asOwner(browser, path);
    await isShown(page, path);
    await page.getByText("Loading…").waitFor({ state: "detached" });
    if (await inert(page, path)) hostile.push(path);
    await accessibleEverywhere(page, path);
    if (path === "/console/keys") {
      await page.getByRole("button", { name: "Make a key" }).click();
      await accessibleEverywhere(page, "a form");
    }
    heard.push(...complaints);
    await context.close();
  }
  const missing = ["members", "keys", "crews", "audit?entity=label"].filter((name) => !hostile.includes(`/console/${name}`));
  require(!missing.length, `nothing hostile was to be seen on ${missing.join()}`);
  return heard;
}

export const operating = [
  a_new_key_is_shown_once_and_can_be_revoked,
  rules_are_made_tried_and_deleted,
  a_webhook_is_made_with_its_secret_and_deleted,
  members_and_their_roles_are_changed,
  a_setting_is_changed_and_the_audit_has_it,
  everything_is_exported_and_downloaded,
  an_agent_is_paused_and_goes_on,
  a_reply_is_read_while_it_is_written,
  who_has_no_right_sees_no_button_and_is_refused,
  pages_of_operators_can_be_read_by_everybody,
];
