/** What an operator does, each as a check that fails with what was seen instead. */

import { acts } from "./acts.mjs";
import { call, facts, operator, requestNow, require, shows } from "./browser.mjs";
import { everywhere } from "./everywhere.mjs";
import { figures } from "./figures.mjs";
import { freshness } from "./freshness.mjs";
import { keyboard } from "./keys.mjs";
import { operating } from "./operating.mjs";
import { needs } from "./needs.mjs";
import { signing } from "./signing.mjs";
import { sizes } from "./sizes.mjs";
import { together } from "./together.mjs";
import { working } from "./work.mjs";

const { keys, requests, issues } = facts;

async function the_inbox_has_the_gravest_first_and_counts_in_its_title(browser) {
  const { page, context, complaints } = await operator(browser);
  const rows = page.locator('[data-part="yours"] .row');
  await rows.first().waitFor();
  const first = await rows.first().innerText();
  require(first.includes("May DEMO-1 go to review?") && first.includes("critical"), first);
  const titles = await rows.allInnerTexts();
  require(!titles.some((one) => one.includes("Is the copy right?")), "shows what is for others");
  require((await page.title()).startsWith(`(${titles.length}) `), await page.title());
  await context.close();
  return complaints;
}

async function times_are_told_by_the_clock_of_the_server(browser) {
  const { page, context, complaints } = await operator(browser);
  await page.clock.setFixedTime(Date.now() + 3_600_000);
  await page.reload();
  const first = page.locator('[data-part="yours"] .row').first();
  await first.waitFor();
  const told = await first.innerText();
  require(/asked (just now|\d+ (s|min) ago)/.test(told) && /due in/.test(told), told);
  await context.close();
  return complaints;
}

async function accepting_does_what_the_card_says_and_offers_the_next(browser) {
  const { page, context, complaints } = await operator(browser, `/console/requests/${requests.move}`);
  await shows(page, "Moves DEMO-1 to");
  const order = await page.locator("main h2").allInnerTexts();
  require(order.join() === "If you accept,Why,Who asks,Afterwards", order.join());
  require((await requestNow(requests.move)).status === "OPEN", "looking decided it");
  await page.getByRole("button", { name: "Accept" }).click();
  await shows(page, "Accepted, and done as asked.");
  await shows(page, "Next:");
  require((await requestNow(requests.move)).status === "RESOLVED", "it is still open");
  await context.close();
  return complaints;
}

async function a_double_click_decides_once(browser) {
  const { page, context, complaints } = await operator(browser, `/console/requests/${requests.once}`);
  const sent = [];
  page.on("request", (one) => one.url().endsWith("actionRequests.accept") && sent.push(one.headers()));
  await page.getByLabel("Your answer").fill("Yes, weekly.");
  await page.getByRole("button", { name: "Send answer" }).dblclick();
  await shows(page, "Accepted.");
  require(sent.length === 1, `${sent.length} calls`);
  require(!(await page.locator("main").innerText()).includes("You had typed"), "what was said is still a draft");
  require(sent[0]["idempotency-key"]?.length === 32, "no idempotency key");
  await context.close();
  return complaints;
}

async function declining_asks_for_the_reason_and_keeps_it(browser) {
  const { page, context, complaints } = await operator(browser, `/console/requests/${requests.archive}`);
  await page.getByRole("button", { name: "Decline" }).click();
  await shows(page, "Say why");
  require((await requestNow(requests.archive)).status === "OPEN", "declined without a word");
  await page.getByLabel("A word with it").fill("Still needed.");
  await page.getByRole("button", { name: "Decline" }).click();
  await shows(page, "Declined: nothing was changed.");
  const settled = await requestNow(requests.archive);
  require(settled.status === "REJECTED" && settled.resolution.includes("Still needed."), JSON.stringify(settled));
  await context.close();
  return complaints;
}

async function an_answer_reaches_the_agent_as_a_comment(browser) {
  const { page, context, complaints } = await operator(browser, `/console/requests/${requests.question}`);
  await page.getByRole("button", { name: "Send answer" }).click();
  await shows(page, "Write your answer first.");
  await page.getByLabel("Your answer").fill("Safari and Firefox.");
  await page.getByRole("button", { name: "Send answer" }).click();
  await shows(page, "@worker is told in a comment on DEMO-1");
  const { data } = await call(keys.owner, "comments.list", { issueId: issues.login });
  require(data.some((one) => one.body.includes("Safari and Firefox.")), "no comment");
  await context.close();
  return complaints;
}

async function a_yes_to_what_changed_meanwhile_is_refused_and_asked_again(browser) {
  const { page, context, complaints } = await operator(browser, `/console/requests/${requests.plan}`);
  await shows(page, "Design the format");
  await page.locator(".steps summary", { hasText: "Design the format" }).click();
  await shows(page, "On one page.");
  await shows(page, "Lapses");
  await call(keys.agents.planner, "plans.addSteps", {
    planId: facts.goal.plan,
    steps: [{ title: "Delete the old data" }],
  });
  await page.getByRole("button", { name: "Accept" }).click();
  await shows(page, "It changed while you looked");
  await shows(page, "Delete the old data");
  require((await requestNow(requests.plan)).status === "OPEN", "accepted what nobody saw");
  await page.getByRole("button", { name: "I have seen it" }).click();
  await page.getByText("It changed while you looked").waitFor({ state: "detached" });
  await page.getByLabel("A word with it").fill("Not the deletion.");
  await page.getByRole("button", { name: "Decline" }).click();
  await shows(page, "Declined: nothing was changed.");
  await context.close();
  return complaints;
}

async function a_vote_is_counted_and_can_be_changed(browser) {
  const { page, context, complaints } = await operator(browser, `/console/requests/${requests.poll}`);
  const option = (text) => page.locator(".options > li", { hasText: text });
  await option("Retry it").getByRole("button").click();
  await option("Retry it").getByText("1 vote").waitFor();
  await option("a worker of its own").getByRole("button").click();
  await option("a worker of its own").getByText("1 vote").waitFor();
  await option("Retry it").getByText("0 votes").waitFor();
  await context.close();
  return complaints;
}

async function a_gate_is_decided_like_a_request(browser) {
  const { page, context, complaints } = await operator(browser, `/console/gates/${facts.gate}`);
  await shows(page, "Nothing by itself: your decision is kept");
  await page.getByRole("button", { name: "Approve" }).click();
  await shows(page, "Approved: it goes on.");
  await context.close();
  return complaints;
}

async function an_agent_that_waits_is_answered(browser) {
  const { page, context, complaints } = await operator(browser, "/console");
  await page.getByRole("link", { name: "Which schema shall it be?" }).click();
  await page.getByRole("button", { name: "Answer" }).click();
  await shows(page, "Say what the agent shall know.");
  await page.getByLabel("Your words for the agent").fill("The second.");
  await page.getByRole("button", { name: "Answer" }).click();
  await shows(page, "its run goes on");
  const { data } = await call(keys.owner, "runs.list", { id: facts.run });
  require(data[0].status === "ACTIVE", data[0].status);
  await context.close();
  return complaints;
}

async function a_step_that_failed_too_often_is_found_and_tried_anew(browser) {
  const { page, context, complaints } = await operator(browser, `/console/goals/${facts.stuck.goal}`);
  await shows(page, "@reviewer: fail");
  await shows(page, "attempt 3 of 3");
  await page.getByRole("link", { name: "waits at a gate" }).click();
  await shows(page, "is tried anew, with all its retries");
  await shows(page, "no units");
  await page.getByRole("button", { name: "Approve" }).click();
  await shows(page, "Approved: it goes on.");
  const { plans } = await call(keys.owner, "goals.get", { id: facts.stuck.goal });
  require(plans[0].steps[0].status === "READY", plans[0].steps[0].status);
  await context.close();
  return complaints;
}

async function what_is_typed_survives_news_and_a_comment_is_said(browser) {
  const { page, context, complaints } = await operator(browser, `/console/issues/${issues.login}`);
  await page.getByLabel("Say something").fill("@worker please look at the cookies first");
  await call(keys.agents.worker, "comments.create", { issueId: issues.login, body: "Found the cause." });
  await page.locator(".timeline").getByText("Found the cause.").waitFor({ timeout: 25_000 });
  require((await page.getByLabel("Say something").inputValue()).endsWith("cookies first"), "the words are gone");
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  await page.locator(".timeline").getByText("look at the cookies first").waitFor();
  require((await page.getByLabel("Say something").inputValue()) === "", "the words are still there");
  await context.close();
  return complaints;
}

async function nothing_moves_under_the_pointer(browser) {
  const { page, context, complaints } = await operator(browser);
  await page.locator('[data-part="yours"] .row').first().hover();
  await call(keys.agents.worker, "actionRequests.create", { title: "One more thing", severity: "CRITICAL" });
  const offer = page.getByRole("button", { name: "1 new · show" });
  await offer.waitFor({ timeout: 25_000 });
  require(!(await page.locator("main").innerText()).includes("One more thing"), "the list moved");
  await offer.click();
  await shows(page, "One more thing");
  await context.close();
  return complaints;
}

async function the_board_groups_and_filters(browser) {
  const { page, context, complaints } = await operator(browser, "/console/board");
  await page.locator(".column", { hasText: "Backlog" }).getByText("Drop the cache").waitFor();
  await page.getByLabel("Text").fill("timeout");
  await page.getByLabel("Text").press("Enter");
  await page.getByText("Drop the cache").waitFor({ state: "detached" });
  require(page.url().endsWith("?q=timeout"), page.url());
  await page.getByRole("link", { name: "Fix login timeout" }).click();
  await page.getByRole("heading", { name: "DEMO-1 Fix login timeout" }).waitFor();
  require(await page.evaluate(() => document.activeElement?.tagName === "H1"), "the heading has no focus");
  await page.goBack();
  await page.getByRole("heading", { name: "Board" }).waitFor();
  await context.close();
  return complaints;
}

async function goals_agents_pipelines_and_pull_requests_are_shown(browser) {
  const { page, context, complaints } = await operator(browser, "/console/goals");
  await page.getByRole("link", { name: "Ship the importer" }).click();
  await shows(page, "Write the parser");
  await shows(page, "$0.00 of $5.00");
  await page.getByRole("link", { name: "Agents" }).click();
  await page.locator(".row", { hasText: "@worker" }).getByText("DEMO-1").first().waitFor();
  await page.goto(`${facts.baseUrl}/console/pipelines/${facts.pipeline}?file=design.md`);
  await page.getByText("It waits for a person").waitFor();
  await page.getByRole("heading", { name: "design.md, version 1" }).waitFor();
  await page.goto(facts.pull);
  await shows(page, "Login hangs on Safari");
  await shows(page, "this one");
  await page.goto(`${facts.baseUrl}/console/no/such/page`);
  await shows(page, "There is no such page");
  await context.close();
  return complaints;
}

async function a_checkpoint_is_found_and_answered_where_its_pipeline_is(browser) {
  const { page, context, complaints } = await operator(browser, "/console/pipelines");
  await page.locator(".row", { hasText: "Add a login page" }).getByText("waits for a person").waitFor();
  await page.getByRole("link", { name: "Add a login page" }).click();
  await page.locator(".phases .here", { hasText: "Design Checkpoint" }).waitFor();
  require((await page.locator(".phases .skipped", { hasText: "Investigation" }).count()) === 1, "what was left out is not told");
  await shows(page, "it goes on as the question says");
  require(await page.evaluate(() => document.activeElement?.tagName === "H1"), "the card took the focus");
  await page.getByRole("textbox").fill("As designed.");
  await page.getByRole("button", { name: "Accept" }).click();
  await shows(page, "The pipeline goes on");
  await page.locator(".phases .done", { hasText: "Design Checkpoint" }).waitFor();
  require((await page.getByRole("button", { name: "Accept" }).count()) === 0, "it is asked still");
  await context.close();
  return complaints;
}

export const checks = [
  ...everywhere,
  ...signing,
  ...freshness,
  ...keyboard,
  ...needs,
  ...together,
  ...working,
  ...figures,
  ...operating,
  ...acts,
  the_inbox_has_the_gravest_first_and_counts_in_its_title,
  times_are_told_by_the_clock_of_the_server,
  accepting_does_what_the_card_says_and_offers_the_next,
  a_double_click_decides_once,
  declining_asks_for_the_reason_and_keeps_it,
  an_answer_reaches_the_agent_as_a_comment,
  a_yes_to_what_changed_meanwhile_is_refused_and_asked_again,
  a_vote_is_counted_and_can_be_changed,
  a_gate_is_decided_like_a_request,
  an_agent_that_waits_is_answered,
  a_step_that_failed_too_often_is_found_and_tried_anew,
  what_is_typed_survives_news_and_a_comment_is_said,
  nothing_moves_under_the_pointer,
  the_board_groups_and_filters,
  goals_agents_pipelines_and_pull_requests_are_shown,
  a_checkpoint_is_found_and_answered_where_its_pipeline_is,
  ...sizes,
];
