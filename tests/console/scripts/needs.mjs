/** What waits is decided in the list: answered, put off, and several at once; and what goes wrong is there, too. */

import { call, facts, operator, requestNow, require, shows, signIn, visitor } from "./browser.mjs";

const { keys, small } = facts;

async function an_answer_is_given_in_the_list_with_keys_alone(browser) {
  const { page, context, complaints } = await operator(browser);
  await page.getByRole("link", { name: "May I use tabs?" }).focus();
  await page.keyboard.press("r");
  await page.getByLabel("Your answer").waitFor();
  await page.waitForFunction(() => document.activeElement?.id === "words");
  await page.keyboard.type("Spaces, please.");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("link", { name: "May I use tabs?" }).waitFor({ state: "detached" });
  await shows(page, "Accepted.");
  const settled = await requestNow(small.inline);
  require(settled.status === "RESOLVED" && settled.resolution.includes("Spaces"), JSON.stringify(settled));
  await context.close();
  return complaints;
}

async function several_are_decided_and_put_off_together(browser) {
  const { page, context, complaints } = await operator(browser);
  await page.getByLabel("Choose Repaint?").check();
  await page.getByRole("button", { name: "Snooze: a day" }).click();
  await page.getByRole("link", { name: "Repaint?" }).waitFor({ state: "detached" });
  require((await requestNow(small.later)).status === "SNOOZED", "it was not put off");
  await page.getByLabel("Choose May I bump lint?").check();
  await page.getByRole("link", { name: "May I bump types?" }).focus();
  await page.keyboard.press("x");
  await page.getByRole("button", { name: "Decide 2 together" }).click();
  const dialog = page.getByRole("dialog", { name: "Decide together" });
  await dialog.getByText("May I bump types?").waitFor();
  await dialog.getByRole("button", { name: "Decline all 2" }).click();
  await dialog.getByText("Say why in a few words").waitFor();
  await dialog.getByLabel("Your words to each of them").fill("Both, today.");
  await dialog.getByRole("button", { name: "Accept all 2" }).click();
  await page.getByRole("link", { name: "May I bump types?" }).waitFor({ state: "detached" });
  for (const id of [small.one, small.two]) {
    const settled = await requestNow(id);
    require(settled.status === "RESOLVED" && settled.resolution.includes("Both"), JSON.stringify(settled));
  }
  await context.close();
  return complaints;
}

async function what_a_no_ends_is_said_before_several_are_declined(browser) {
  const { page, context, complaints } = await operator(browser);
  await page.getByLabel("Choose Step 'Name the columns' failed 3 times.").check();
  await page.getByLabel("Choose Is the release ready?").check();
  await page.getByRole("button", { name: "Decide 2 together" }).click();
  const dialog = page.getByRole("dialog", { name: "Decide together" });
  await dialog.getByText("Decline: The plan is canceled, its runs end").waitFor();
  await dialog.getByText("whoever opened the gate reads it").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await context.close();
  return complaints;
}

async function whoever_stands_still_comes_first_and_what_goes_wrong_is_there(browser) {
  const { page, context, open, complaints } = await visitor(browser);
  await open("/console");
  await signIn(page, keys.owner);
  await shows(page, "The key nightly ends soon");
  const rows = await page.locator('[data-part="yours"] .row').allInnerTexts();
  const at = (text) => rows.findIndex((row) => row.includes(text));
  require(rows[at("Which schema shall it be?")].includes("holds up @worker"), rows.join(" | "));
  require(at("Which schema shall it be?") < at("Repaint?") || at("Repaint?") < 0, rows.join(" | "));
  require(at("Which schema shall it be?") < at("The key nightly ends soon"), rows.join(" | "));
  await context.close();
  return complaints;
}

async function an_embedded_card_says_what_a_yes_does_before_it_can_be_given(browser) {
  const { id } = await call(keys.agents.worker, "actionRequests.create", {
    title: "Archive the banner?",
    kind: "ARCHIVE",
    issueId: facts.issues.cache,
  });
  const { page, context, complaints } = await operator(browser);
  await page.getByRole("button", { name: "Answer Archive the banner?" }).click();
  const card = page.locator(".embedded");
  await card.getByText("If you accept").waitFor();
  require((await card.innerText()).includes(facts.issues.cache), await card.innerText());
  await card.getByRole("button", { name: "Decline" }).click();
  await card.getByText("Say why").waitFor();
  require((await requestNow(id)).status === "OPEN", "declined without a word");
  await card.getByRole("textbox").fill("Keep it.");
  await card.getByRole("button", { name: "Decline" }).click();
  await shows(page, "Declined: nothing was changed.");
  await context.close();
  return complaints;
}

export const needs = [
  whoever_stands_still_comes_first_and_what_goes_wrong_is_there,
  an_answer_is_given_in_the_list_with_keys_alone,
  several_are_decided_and_put_off_together,
  what_a_no_ends_is_said_before_several_are_declined,
  an_embedded_card_says_what_a_yes_does_before_it_can_be_given,
];
