/** What an operator sees is right, and soon: counts, the badge, what came while they pointed at a list, and searches. */

import { call, facts, operator, require, shows } from "./browser.mjs";

const { keys, issues, many } = facts;

async function a_full_column_counts_and_pages_by_itself(browser) {
  const { page, context, complaints } = await operator(browser, "/console/board");
  const column = page.getByRole("region", { name: "Todo" });
  await column.locator(".card").first().waitFor();
  require((await column.locator("h2").innerText()).includes(String(many)), await column.locator("h2").innerText());
  require((await column.locator(".card").count()) === 50, `${await column.locator(".card").count()} cards`);
  await shows(page, "Drop the cache");
  await page.getByRole("button", { name: "Show more of Todo" }).click();
  await column.locator(".card").nth(many - 1).waitFor();
  require((await page.getByRole("button", { name: "Show more of Todo" }).count()) === 0, "more than all of them");
  await context.close();
  return complaints;
}

async function every_page_counts_what_waits_within_seconds(browser) {
  const { page, context, complaints } = await operator(browser, "/console/goals");
  const badge = page.locator("nav .badge");
  await badge.waitFor();
  const before = Number(await badge.innerText());
  await call(keys.agents.worker, "actionRequests.create", { title: "Is blue all right?", severity: "INFO" });
  await badge.getByText(String(before + 1), { exact: true }).waitFor({ timeout: 10_000 });
  require((await page.title()).startsWith(`(${before + 1}) `), await page.title());
  await context.close();
  return complaints;
}

async function what_came_meanwhile_waits_no_longer_than_seconds(browser) {
  const { page, context, complaints } = await operator(browser);
  await page.locator('[data-part="yours"] .row').first().hover();
  await call(keys.agents.worker, "actionRequests.create", { title: "It waits for nobody", severity: "CRITICAL" });
  await page.getByRole("button", { name: "1 new · show" }).waitFor({ timeout: 10_000 });
  await page.getByText("It waits for nobody").waitFor({ timeout: 8_000 });
  await context.close();
  return complaints;
}

async function a_search_finds_identifiers_and_what_is_closed_and_says_where_it_looked(browser) {
  const { page, context, complaints } = await operator(browser, "/console/board");
  await page.getByLabel("Text").fill(issues.cache.toLowerCase());
  await page.getByLabel("Text").press("Enter");
  await page.locator(".named").getByText("Drop the cache").waitFor();
  await page.getByLabel("Text").fill("obsolete");
  await page.getByLabel("Text").press("Enter");
  await page.getByRole("region", { name: "Done" }).getByText("obsolete").waitFor();
  await shows(page, /Looked for whole words in title and description, and in how the last \d+ comments? began\./);
  await call(keys.agents.worker, "comments.create", { issueId: issues.cache, body: "The marmalade of sessions is **sticky**." });
  await page.reload();
  await page.getByLabel("Text").fill("STICKY marmalade");
  await page.getByLabel("Text").press("Enter");
  await page.locator('[data-part="said"]').getByRole("link", { name: "marmalade" }).click();
  await page.getByRole("heading", { name: issues.cache }).waitFor();
  await context.close();
  return complaints;
}

export const freshness = [
  a_full_column_counts_and_pages_by_itself,
  every_page_counts_what_waits_within_seconds,
  what_came_meanwhile_waits_no_longer_than_seconds,
  a_search_finds_identifiers_and_what_is_closed_and_says_where_it_looked,
];
