/** Who gets in, and what everybody else is told. */

import { exhaust, facts, operator, require, shows, signIn, visitor } from "./browser.mjs";

const { keys, issues, requests } = facts;

async function a_key_that_is_no_persons_is_refused_in_plain_words(browser) {
  const { page, context, open, complaints } = await visitor(browser);
  await open("/console");
  for (const [key, words] of [
    ["nonsense", "This is not a Forge API key"],
    [keys.revoked, "This API key was revoked"],
    [keys.agents.worker, "This is an agent's key"],
  ]) {
    await signIn(page, key);
    await shows(page, words);
  }
  require(!page.url().includes("forge_sk"), "a key is in the address");
  await context.close();
  return complaints;
}

async function whoever_signs_in_gets_the_page_that_was_asked_for(browser) {
  const { page, context, complaints } = await operator(browser, `/console/issues/${issues.login}`);
  await shows(page, "Half of our users have it.");
  const kept = await page.evaluate(() => [sessionStorage.length, localStorage.length]);
  require(String(kept) === "1,0", `stored as ${kept}`);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Your API key").waitFor();
  require((await page.evaluate(() => sessionStorage.length)) === 0, "the key is still there");
  await page.getByLabel("Keep me signed in").check();
  await signIn(page, keys.owner);
  await shows(page, "Needs you");
  require((await page.evaluate(() => localStorage.length)) === 1, "the key was not kept on the device");
  await context.close();
  return complaints;
}

async function whoever_only_reads_is_offered_nothing_that_would_be_refused(browser) {
  const { page, context, open, complaints } = await visitor(browser);
  await open(`/console/requests/${requests.move}`);
  await signIn(page, keys.readonly);
  await shows(page, "Who asks");
  for (const path of [`requests/${requests.move}`, `gates/${facts.gate}`]) {
    await open(`/console/${path}`);
    await shows(page, "This key only reads.");
    require((await page.locator("main button").count()) === 0, `there are buttons on ${path}`);
  }
  await open(`/console/issues/${issues.login}`);
  await shows(page, "What happened");
  require((await page.getByLabel("Say something").count()) === 0, "there is a field to comment");
  await context.close();
  return complaints;
}

async function a_key_that_is_revoked_meanwhile_leads_back_to_signing_in(browser) {
  const { page, context, complaints } = await operator(browser, "/console/agents");
  await page.evaluate((key) => sessionStorage.setItem("forge.console.key", key), keys.revoked);
  await page.getByRole("link", { name: "Board" }).click();
  await shows(page, "This API key was revoked");
  await signIn(page, keys.owner);
  await page.getByRole("heading", { name: "Board" }).waitFor();
  require(page.url().endsWith("/console/board"), page.url());
  await context.close();
  return complaints;
}

async function whoever_called_too_often_is_told_to_wait(browser) {
  const { page, context, open, complaints } = await visitor(browser);
  await open("/console/goals");
  await exhaust(keys.member);
  await signIn(page, keys.member);
  await shows(page, "Too many calls with this key");
  await page.evaluate((key) => sessionStorage.setItem("forge.console.key", key), keys.member);
  await page.reload();
  await shows(page, "More than 300 calls in this minute");
  await context.close();
  return complaints;
}

export const signing = [
  a_key_that_is_no_persons_is_refused_in_plain_words,
  whoever_signs_in_gets_the_page_that_was_asked_for,
  whoever_only_reads_is_offered_nothing_that_would_be_refused,
  a_key_that_is_revoked_meanwhile_leads_back_to_signing_in,
  whoever_called_too_often_is_told_to_wait,
];
