/** Signing in with an account elsewhere: what the browser keeps, and what it is good for. */

import { facts, require, shows, visitor } from "./browser.mjs";

const { baseUrl, owner } = facts.singleSignOn;

/** What is in the storage of the page, and in its cookies as a script sees them. */
const readable = (page) =>
  page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));

async function signedIn(browser, path) {
  const visiting = await visitor(browser);
  await visiting.page.goto(`${baseUrl}${path}`);
  await visiting.page.getByRole("button", { name: "Sign in with Example ID" }).click();
  await visiting.page.locator("main .parts > *").first().waitFor({ state: "attached" });
  return visiting;
}

async function an_account_elsewhere_signs_in_and_leads_to_the_page_that_was_asked_for(browser) {
  const { page, context, complaints } = await signedIn(browser, "/console/board");
  require(page.url() === `${baseUrl}/console/board`, page.url());
  require(!(await readable(page)).includes("forge_sk_"), "a script can read the key");
  const cookies = await context.cookies();
  require(
    cookies.filter(({ value }) => value.startsWith("forge_sk_")).every(({ httpOnly, sameSite }) => httpOnly && sameSite === "Strict"),
    "the session's cookie is not for the server alone",
  );
  await page.reload();
  await page.locator("main .parts > *").first().waitFor({ state: "attached" });
  await context.close();
  return complaints;
}

async function signing_out_ends_the_session_of_an_account_at_the_server(browser) {
  const { page, context, complaints } = await signedIn(browser, "/console");
  const before = await context.cookies();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign in with Example ID" }).waitFor();
  require((await context.cookies()).length === 0, "there are cookies left");
  await context.addCookies(before);
  await page.goto(`${baseUrl}/console/board`);
  await shows(page, "This API key was revoked");
  await context.close();
  return complaints;
}

async function a_pasted_key_becomes_a_session_where_there_are_accounts(browser) {
  const { page, context, complaints } = await visitor(browser);
  await page.goto(`${baseUrl}/console/agents`);
  await page.getByLabel("Or your API key").fill(owner);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.locator("main .parts > *").first().waitFor({ state: "attached" });
  require(!(await readable(page)).includes("forge_sk_"), "a script can read the key");
  require(!(await context.cookies()).some(({ value }) => value === owner), "the browser keeps the pasted key");
  await context.close();
  return complaints;
}

export const singleSignOn = [
  an_account_elsewhere_signs_in_and_leads_to_the_page_that_was_asked_for,
  signing_out_ends_the_session_of_an_account_at_the_server,
  a_pasted_key_becomes_a_session_where_there_are_accounts,
];
