/** What receivers did not take, given up, found, and sent again, and who stalled: last of all, because hours pass meanwhile. */

import { createServer } from "node:http";

import { call, facts, operator, require, shows } from "./browser.mjs";

const { keys } = facts;
const HOURS = 7200;
const TRIES = 8;

/** Somebody who is told, and refuses until they are well. */
async function receiver() {
  const heard = { isWell: false, bodies: [], url: "", end: () => {} };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => (body += piece));
    request.on("end", () => {
      heard.bodies.push(body);
      response.writeHead(heard.isWell ? 200 : 503).end(heard.isWell ? "" : "<b>down</b>");
    });
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  heard.url = `http://127.0.0.1:${server.address().port}/hook`;
  heard.end = () => server.close();
  return heard;
}

async function hours_pass() {
  const headers = { "content-type": "application/json" };
  await fetch(`${facts.baseUrl}/api/dev/clock`, { method: "POST", headers, body: JSON.stringify({ advanceSeconds: HOURS }) });
}

async function what_was_given_up_is_found_and_sent_again(browser) {
  const told = await receiver();
  const { page, context, complaints } = await operator(browser, "/console/settings", { key: keys.operators[0] });
  const dialog = page.locator("dialog.act");
  await page.getByRole("button", { name: "Change: Webhook allowed hosts" }).click();
  await dialog.getByLabel("Webhook allowed hosts").fill("127.0.0.1");
  await dialog.getByRole("button", { name: "Change" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.goto(`${facts.baseUrl}/console/webhooks`);
  await page.getByRole("button", { name: "Make a webhook" }).click();
  await dialog.getByLabel("Url").fill(told.url);
  await dialog.getByLabel("comment created").check();
  await dialog.getByRole("button", { name: "Make a webhook" }).click();
  await dialog.getByRole("button", { name: "Close" }).click();
  await call(keys.agents.worker, "comments.create", { issueId: facts.issues.cache, body: "Tell them." });
  const row = page.locator('[data-part="Given up"] tr', { hasText: "comment created" });
  for (let tries = 0; tries < TRIES && !(await row.count()); tries += 1) {
    await hours_pass();
    await page.reload();
    await shows(page, "Given up");
    await page.waitForTimeout(500);
  }
  require((await row.innerText()).includes(told.url) && (await row.innerText()).includes("503 <b>down</b>"), await row.innerText());
  await page.goto(`${facts.baseUrl}/console`);
  await shows(page, "1 delivery was given up: the receiver answers 503");
  await page.locator('[data-part="yours"] .row', { hasText: "Agent stalled" }).getByText("holds up @worker").first().waitFor();
  told.isWell = true;
  await page.getByRole("link", { name: "1 delivery was given up" }).click();
  await page.getByRole("button", { name: "Send again" }).click();
  await dialog.getByRole("button", { name: "Send again" }).click();
  await page.locator('[data-part="Taken"] tr', { hasText: "comment created" }).waitFor({ timeout: 40_000 });
  require(told.bodies.at(-1).includes("COMMENT_CREATED"), told.bodies.at(-1));
  told.end();
  await context.close();
  return complaints;
}

export const deliveries = [what_was_given_up_is_found_and_sent_again];
