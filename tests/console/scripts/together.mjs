/** Two people at once, and what happens when the network or the key is gone in the middle. */

import { call, facts, operator, require, shows } from "./browser.mjs";

const { keys, issues } = facts;

async function what_one_does_the_other_sees_without_loading_anew(browser) {
  const made = await call(keys.owner, "issues.create", { title: "Seen by both" });
  const one = await operator(browser, "/console/board");
  const other = await operator(browser, "/console/board");
  for (const { page } of [one, other]) await page.evaluate(() => (window.isOld = true));
  // What came meanwhile waits for whoever points at it, where the button to sign in was.
  await other.page.mouse.move(0, 0);
  await one.page.locator(".card", { hasText: "Seen by both" }).getByRole("link").focus();
  await one.page.keyboard.press("Shift+ArrowRight");
  await one.page.getByRole("region", { name: "Todo" }).getByText("Seen by both").waitFor();
  await other.page.getByRole("region", { name: "Todo" }).getByText("Seen by both").waitFor({ timeout: 10_000 });
  await call(keys.owner, "issues.assign", { issueId: made.id, profileKey: "planner" });
  await other.page.locator(".card", { hasText: "Seen by both" }).getByText(/^for (a moment|\d)/).waitFor({ timeout: 10_000 });
  await other.page.goto(`${facts.baseUrl}/console/issues/${made.identifier}`);
  await other.page.evaluate(() => (window.isOld = true));
  await call(keys.agents.worker, "comments.create", { issueId: made.id, body: "Both can read this." });
  await other.page.locator(".timeline").getByText("Both can read this.").waitFor({ timeout: 10_000 });
  for (const { page } of [one, other]) require(await page.evaluate(() => window.isOld), "it was loaded anew");
  await Promise.all([one.context.close(), other.context.close()]);
  return [...one.complaints, ...other.complaints];
}

async function without_a_network_nothing_is_lost_and_it_goes_on_with_one(browser) {
  const { page, context, complaints } = await operator(browser, `/console/issues/${issues.cache}`);
  await page.getByLabel("Say something").fill("Said in a tunnel.");
  await context.setOffline(true);
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  await page.locator('[data-part="comment"]').getByText("can't be reached").waitFor();
  require((await page.getByLabel("Say something").inputValue()) === "Said in a tunnel.", "the words are gone");
  await shows(page, "Not up to date.");
  await context.setOffline(false);
  const sent = [];
  page.on("request", (asked) => asked.url().endsWith("comments.create") && sent.push(asked.headers()["idempotency-key"]));
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  await page.locator(".timeline").getByText("Said in a tunnel.").waitFor();
  await page.getByText("Not up to date.").waitFor({ state: "detached", timeout: 25_000 });
  const { data } = await call(keys.owner, "comments.list", { issueId: issues.cache });
  require(data.filter(({ body }) => body === "Said in a tunnel.").length === 1 && sent[0], `${data.length} comments`);
  await context.close();
  return complaints.filter((one) => !/ERR_INTERNET_DISCONNECTED/.test(one));
}

async function a_page_that_cannot_be_loaded_says_so_and_is_asked_for_again(browser) {
  const { page, context, complaints } = await operator(browser);
  await context.route("**/pages/goals.js", (route) => route.abort());
  await page.getByRole("link", { name: "Goals" }).click();
  await shows(page, "This page can't be loaded just now.");
  require((await page.getByRole("button", { name: /^Answer/ }).count()) === 0, "the last page can still be used");
  await context.unroute("**/pages/goals.js");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("link", { name: "Ship the importer" }).waitFor();
  await context.close();
  return complaints.filter((one) => !/ERR_FAILED/.test(one));
}

async function a_key_that_ends_in_the_middle_of_a_change_leads_to_signing_in(browser) {
  const { page, context, complaints } = await operator(browser, "/console/board");
  await page.getByRole("button", { name: "New issue" }).click();
  const dialog = page.getByRole("dialog", { name: "New issue" });
  await dialog.getByLabel("Title").fill("Never written");
  await dialog.getByLabel("Priority").waitFor();
  await page.evaluate((key) => sessionStorage.setItem("forge.console.key", key), keys.revoked);
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByLabel("Your API key").waitFor();
  await shows(page, "This API key was revoked");
  require((await page.getByRole("dialog").count()) === 0, "the dialog is still open");
  require((await page.locator(".card, nav").count()) === 0, "what was shown is still there");
  await context.close();
  return complaints;
}

async function nothing_is_asked_of_anybody_else(browser) {
  const { page, context, complaints } = await operator(browser, "/console");
  const foreign = [];
  page.on("request", (asked) => asked.url().startsWith(facts.baseUrl) || foreign.push(asked.url()));
  for (const path of ["/console/board", `/console/issues/${issues.login}`, "/console/analytics", `/console/cycles/${facts.work.cycle}`]) {
    await page.goto(`${facts.baseUrl}${path}`, { waitUntil: "networkidle" }).catch(() => {});
  }
  require(!foreign.length, foreign.join());
  await context.close();
  return complaints;
}

export const together = [
  what_one_does_the_other_sees_without_loading_anew,
  without_a_network_nothing_is_lost_and_it_goes_on_with_one,
  a_page_that_cannot_be_loaded_says_so_and_is_asked_for_again,
  a_key_that_ends_in_the_middle_of_a_change_leads_to_signing_in,
  nothing_is_asked_of_anybody_else,
];
