/** Acts of which one is enough: what hangs on an issue, and what operators do to agents, crews and repositories. */

import { call, facts, operator, require, shows } from "./browser.mjs";

const { keys, issues, drawn } = facts;
let operators = 0;
const asOwner = (browser, path) => operator(browser, path, { key: keys.operators[operators++ % keys.operators.length] });
const dialogOf = (page) => page.locator("dialog.act");

/** Presses what opens a form, says what it is given, and sends it. */
async function done(page, button, fill = async () => {}) {
  await page.getByRole("button", { name: button, exact: true }).click();
  const dialog = dialogOf(page);
  await fill(dialog);
  await dialog.getByRole("button", { name: button.split(":")[0], exact: true }).click();
}

async function an_issue_is_queued_and_a_comment_names_whom_and_what_it_means(browser) {
  const made = await call(keys.owner, "issues.create", { title: "Sort the mailbox" });
  const { page, context, complaints } = await operator(browser, `/console/issues/${made.identifier}`);
  await page.getByRole("button", { name: "Queue it" }).click();
  await page.locator('[data-part="state"]').getByText("queued").waitFor();
  require((await call(keys.owner, "issues.get", { id: made.id })).queued, "it is not queued");
  await page.getByRole("button", { name: "Take it out of the queue" }).click();
  await page.getByRole("button", { name: "Queue it" }).waitFor();
  const field = page.getByLabel("Say something");
  await field.pressSequentially("As @plan");
  await page.getByRole("option", { name: "@planner Planner" }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type("said in #passkey");
  await page.getByRole("option", { name: "Sign in with a passkey" }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+Enter");
  await page.locator(".timeline").getByText(/As @planner said in DEMO-\d+/).waitFor();
  await context.close();
  return complaints;
}

async function what_is_refused_stays_to_be_mended(browser) {
  const { page, context, complaints } = await operator(browser, `/console/issues/${issues.cache}`);
  const relations = page.locator('[data-part="relations"]');
  await relations.getByText("Relate", { exact: true }).click();
  await relations.getByLabel("Related issue").fill("DEMO-99999");
  await relations.getByRole("button", { name: "Add" }).click();
  await relations.getByRole("alert").waitFor();
  require((await relations.getByLabel("Related issue").inputValue()) === "DEMO-99999", "the words are gone");
  await page.goto(`${facts.baseUrl}/console/cycles/${facts.work.cycle}`);
  await page.getByLabel("Issues to put in").fill("DEMO-99999");
  await page.getByRole("button", { name: "Put in" }).click();
  await page.locator('[data-part="issues"]').getByRole("alert").waitFor();
  require((await page.getByLabel("Issues to put in").inputValue()) === "DEMO-99999", "the words are gone");
  await context.close();
  return complaints;
}

async function all_that_was_said_can_be_read(browser) {
  const made = await call(keys.owner, "issues.create", { title: "Talked about a lot" });
  for (let number = 1; number <= 40; number += 1) await call(keys.member, "comments.create", { issueId: made.id, body: `Thought ${number}.` });
  const { page, context, complaints } = await operator(browser, `/console/issues/${made.identifier}`);
  await page.locator(".timeline").getByText("Thought 40.").waitFor();
  require((await page.locator('[data-part="state"] .mark').allInnerTexts()).join() === "Backlog", "something is said to be none");
  require((await page.locator(".timeline").getByText("Thought 1.", { exact: true }).count()) === 0, "nothing is left out");
  await page.getByRole("button", { name: "Show earlier comments" }).click();
  await page.locator(".timeline").getByText("Thought 1.", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Show earlier comments" }).waitFor({ state: "detached" });
  await context.close();
  return complaints;
}

async function an_artifact_is_read_and_a_branch_and_its_pull_request_are_told(browser) {
  const { page, context, complaints } = await operator(browser, `/console/issues/${issues.login}`);
  const artifacts = page.locator('[data-part="artifacts"]');
  await artifacts.getByText("Read it").first().click();
  await artifacts.getByText("Findings", { exact: true }).waitFor();
  await page.goto(`${facts.baseUrl}/console/issues/${new URL(facts.pull).searchParams.get("issue")}`);
  const linked = page.locator('[data-part="linked"]');
  await linked.getByText("Branch", { exact: true }).waitFor();
  require(/Phase\s+pr/i.test(await linked.innerText()), await linked.innerText());
  await linked.getByRole("link", { name: "#1" }).click();
  await page.waitForURL(/\/console\/repositories\/demo\/app\/pulls\/1\?issue=DEMO-\d+$/);
  await shows(page, "this one");
  await context.close();
  return complaints;
}

async function a_log_waits_for_the_network_and_for_somebody_who_looks(browser) {
  const made = await call(keys.owner, "issues.create", { title: "Log for a while" });
  await call(keys.owner, "issues.assign", { issueId: made.id, profileKey: "worker" });
  const [run] = (await call(keys.owner, "runs.list", { issueId: made.id })).data;
  const append = (seq, chunk) => call(keys.agents.worker, "runs.appendLog", { runId: run.id, seq, chunk });
  await append(0, "first\n");
  const { page, context, complaints } = await operator(browser, `/console/issues/${made.identifier}`);
  let asked = 0;
  page.on("request", (one) => (asked += Number(one.url().endsWith("runs.log"))));
  const look = (hidden) =>
    page.evaluate((isHidden) => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
  const log = page.locator('[data-part="runs"]');
  await log.getByText("Log", { exact: true }).click();
  await log.getByText("first").waitFor();
  await look(true);
  await append(1, "second\n");
  await log.getByText("second").waitFor();
  const before = asked;
  await page.waitForTimeout(1500);
  require(asked === before, `it asked ${asked - before} times while nobody looked`);
  await context.route("**/runs.log", (route) => route.abort());
  await look(false);
  await log.getByText("can't be reached").waitFor();
  await context.unroute("**/runs.log");
  await append(2, "third\n");
  await log.getByText("third").waitFor();
  await context.close();
  return complaints.filter((one) => !/ERR_FAILED/.test(one));
}

async function a_vote_is_given_in_the_list_and_what_is_late_is_marked(browser) {
  const options = [{ key: "tabs", label: "Tabs it is" }, { key: "spaces", label: "Spaces it is" }];
  const { id } = await call(keys.agents.worker, "actionRequests.create", { title: "How shall we indent?", options, dueAt: "2020-01-01T00:00:00Z" });
  const { page, context, complaints } = await operator(browser);
  const row = page.locator('[data-part="yours"] .row', { hasText: "How shall we indent?" });
  require((await row.innerText()).includes("overdue"), await row.innerText());
  await page.getByRole("button", { name: "Answer How shall we indent?" }).click();
  await page.locator(".options > li", { hasText: "Spaces it is" }).getByRole("button").click();
  await page.locator(".options > li", { hasText: "Spaces it is" }).getByText("1 vote").waitFor();
  const { options: counted } = await call(keys.owner, "actionRequests.results", { id });
  require(JSON.stringify(counted).includes("spaces"), JSON.stringify(counted));
  await context.close();
  return complaints;
}

async function a_budget_that_is_nearly_spent_is_in_the_list(browser) {
  const goal = await call(keys.owner, "goals.get", { id: drawn.goal });
  const [run] = (await call(keys.owner, "runs.list", { issueId: goal.issue.id })).data;
  await call(keys.agents.worker, "runs.recordUsage", { runId: run.id, tokensIn: 1000, costUsd: 1.9 });
  const { page, context, complaints } = await operator(browser);
  await page.getByRole("link", { name: /Read every invoice has spent \$\d\.\d\d of at most \$2\.00/ }).click();
  await page.getByRole("heading", { name: "Read every invoice" }).waitFor();
  await shows(page, /nearly spent|over its budget/);
  await context.close();
  return complaints;
}

async function whoever_wants_to_be_called_is_called(browser) {
  const { page, context, open, complaints } = await operator(browser);
  // What a browser shows outside of its pages can't be seen from here.
  await page.addInitScript(() => {
    window.called = [];
    window.Notification = class extends EventTarget {
      static permission = "default";
      static requestPermission = async () => (window.Notification.permission = "granted");
      constructor(text) {
        super();
        window.called.push(text);
      }
    };
  });
  await open("/console");
  await page.getByRole("button", { name: "Notify me in this browser" }).click();
  await page.getByRole("button", { name: "Notify me in this browser" }).waitFor({ state: "detached" });
  await page.evaluate(() => Object.defineProperty(document, "hidden", { configurable: true, get: () => true }));
  await call(keys.agents.worker, "actionRequests.create", { title: "Are you there?" });
  await page.waitForFunction(() => window.called.some((text) => /\d+ things wait for you/.test(text)), null, { timeout: 45_000 });
  await context.close();
  return complaints;
}

async function an_agent_is_kicked_its_work_given_away_and_it_is_archived(browser) {
  const made = await call(keys.owner, "issues.create", { title: "Carry this over" });
  const { page, context, complaints } = await asOwner(browser, "/console/agents");
  await done(page, "Make an agent", async (dialog) => {
    await dialog.getByLabel("Profile key").fill("temp");
    await dialog.getByLabel("Name").fill("Temp");
  });
  await dialogOf(page).getByText("There is @temp now").waitFor();
  await dialogOf(page).getByRole("button", { name: "Close" }).click();
  await call(keys.owner, "issues.assign", { issueId: made.id, profileKey: "temp" });
  const row = page.locator(".row", { has: page.getByText("@temp", { exact: true }) });
  await row.getByText("Carry this over").waitFor();
  await done(page, `Kick: ${made.identifier}`);
  await dialogOf(page).waitFor({ state: "detached" });
  await done(page, `Reassign: ${made.identifier}`, async (dialog) => {
    await dialog.getByLabel("To profile key").selectOption("planner");
    await dialog.getByLabel("Rationale").fill("It is a matter of planning.");
  });
  await page.locator(".row", { has: page.getByText("@planner", { exact: true }) }).getByText("Carry this over").waitFor();
  require((await call(keys.owner, "issues.get", { id: made.id })).assignedAgent.profileKey === "planner", "it has another agent");
  await done(page, "Archive: @temp");
  await row.waitFor({ state: "detached" });
  await context.close();
  return complaints;
}

async function a_crew_is_made_changed_and_archived(browser) {
  const { page, context, complaints } = await asOwner(browser, "/console/crews");
  await done(page, "Make a crew", (dialog) => dialog.getByLabel("Name").fill("Night shift"));
  await done(page, "Add an agent: Night shift", async (dialog) => {
    await dialog.getByLabel("Agent").selectOption({ label: "@reviewer" });
    await dialog.getByLabel("Role").selectOption("WORKER");
  });
  const member = page.locator('[data-part="Who is in them"] tr', { hasText: "Night shift" });
  await member.getByText("worker", { exact: true }).waitFor();
  await member.getByRole("button", { name: "Change the role: @reviewer" }).click();
  await dialogOf(page).getByLabel("Role").selectOption("REVIEWER");
  await dialogOf(page).getByRole("button", { name: "Change the role" }).click();
  await member.getByText("reviewer", { exact: true }).waitFor();
  await member.getByRole("button", { name: "Take out: @reviewer" }).click();
  await dialogOf(page).getByRole("button", { name: "Take out" }).click();
  await member.waitFor({ state: "detached" });
  await done(page, "Archive: Night shift");
  await page.getByText("Night shift").first().waitFor({ state: "detached" });
  await context.close();
  return complaints;
}

async function a_repository_is_registered_changed_and_removed(browser) {
  const { page, context, complaints } = await asOwner(browser, "/console/repositories");
  await done(page, "Register a repository", async (dialog) => {
    await dialog.getByLabel("Full name").fill("demo/tools");
    await dialog.getByLabel("Provider").selectOption("native");
  });
  const row = page.locator("tr", { hasText: "demo/tools" });
  await row.getByText("active").waitFor();
  await done(page, "Edit: demo/tools", (dialog) => dialog.getByLabel("Read only").selectOption("true"));
  await row.getByText("read only").waitFor();
  await done(page, "Remove: demo/tools");
  await row.waitFor({ state: "detached" });
  await done(page, "Register a repository", async (dialog) => {
    await dialog.getByLabel("Full name").fill("acme/site");
    await dialog.getByLabel("Provider").selectOption("github");
  });
  await dialogOf(page).getByText("Give GitHub this address").waitFor();
  require(/\/api\/github\/webhook\/repo_/.test(await dialogOf(page).innerText()), await dialogOf(page).innerText());
  await dialogOf(page).getByRole("button", { name: "Close" }).click();
  await page.locator('[data-part="Connected on GitHub"]').getByText("acme/site").waitFor();
  await context.close();
  return complaints;
}

export const acts = [
  an_issue_is_queued_and_a_comment_names_whom_and_what_it_means,
  what_is_refused_stays_to_be_mended,
  all_that_was_said_can_be_read,
  an_artifact_is_read_and_a_branch_and_its_pull_request_are_told,
  a_log_waits_for_the_network_and_for_somebody_who_looks,
  a_vote_is_given_in_the_list_and_what_is_late_is_marked,
  a_budget_that_is_nearly_spent_is_in_the_list,
  whoever_wants_to_be_called_is_called,
  an_agent_is_kicked_its_work_given_away_and_it_is_archived,
  a_crew_is_made_changed_and_archived,
  a_repository_is_registered_changed_and_removed,
];
