/** Pictures: what is drawn, that it lives, and that the same is there for whoever does not see it. */

import { call, facts, operator, require, shows } from "./browser.mjs";
import { accessibleEverywhere } from "./reading.mjs";

const { keys, stuck, drawn } = facts;

async function a_plan_is_drawn_as_a_graph_and_lives(browser) {
  const { page, context, complaints } = await operator(browser, `/console/goals/${drawn.goal}`);
  const graph = page.locator("svg.plan");
  await graph.waitFor();
  require((await graph.locator(".node").count()) === 4, "not four steps");
  require((await graph.locator(".edge.critical").count()) >= 2, "no critical path");
  require((await graph.getAttribute("aria-label")).includes("4 steps, 0 done"), await graph.getAttribute("aria-label"));
  await shows(page, /\$0\.40 of \$2\.00/);
  await accessibleEverywhere(page, "a goal");
  await call(keys.agents.worker, "executionPlans.transitionStep", { stepId: drawn.first, status: "RUNNING" });
  await graph.locator(".node.running").first().waitFor();
  await context.close();
  return complaints;
}

async function a_step_that_failed_shows_how_often_and_what_was_said(browser) {
  const { page, context, complaints } = await operator(browser, `/console/goals/${stuck.goal}`);
  await page.locator("svg.plan .node.tone-bad").waitFor();
  const said = await page.locator("svg.plan .node .state").first().textContent();
  require(/blocked/.test(said) && /try 3/.test(said) && /fail/.test(said), said);
  await context.close();
  return complaints;
}

async function figures_of_days_are_drawn_and_told(browser) {
  const { page, context, complaints } = await operator(browser, "/console/analytics");
  await page.locator(".tiles").waitFor();
  const tiles = await page.locator(".tiles").innerText();
  require(/Cost\s+\$0\.[0-9]+/.test(tiles) && /Done\s+[1-9]/.test(tiles), tiles);
  await page.locator(".plot canvas").first().waitFor();
  require((await page.locator(".plot canvas").count()) >= 7, "not every chart is drawn");
  await page.locator(".chart summary").first().click();
  const rows = await page.locator(".chart details table").first().locator("tbody tr").count();
  require(rows === 30, `${rows} days`);
  await shows(page, "@worker").catch(() => shows(page, "Worker"));
  await page.getByLabel("Cost by").selectOption("MODEL");
  await page.getByRole("heading", { name: "Cost by model" }).waitFor();
  await page.getByLabel("Range").selectOption("7");
  await page.getByRole("heading", { name: "The last 7 days" }).waitFor();
  require(new URL(page.url()).searchParams.get("days") === "7", page.url());
  await accessibleEverywhere(page, "analytics");
  await context.close();
  return complaints;
}

async function agents_are_lanes_over_the_day(browser) {
  const { page, context, complaints } = await operator(browser, "/console/day");
  const lane = page.locator(".agent-lane", { hasText: "@worker" }).first();
  await lane.locator("a.lane-bar").first().waitFor();
  await page.getByText(/^\d+ runs?$/).click();
  require((await page.locator("table tbody tr").count()) >= 2, "no rows");
  await accessibleEverywhere(page, "the day");
  await lane.locator("a.lane-bar").first().focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "What happened when" }).waitFor();
  await context.close();
  return complaints;
}

async function a_run_tells_what_happened_when(browser) {
  const { page, context, complaints } = await operator(browser, `/console/runs/${facts.run}`);
  await page.getByRole("heading", { name: "What happened when" }).waitFor();
  const told = await page.locator("ol.timeline").innerText();
  require(told.includes("Began") && told.includes("Waits: Which schema shall it be?"), told);
  await accessibleEverywhere(page, "a run");
  await context.close();
  return complaints;
}

async function who_may_not_see_figures_is_told_so(browser) {
  const { page, context, complaints } = await operator(browser, "/console/analytics", { key: keys.readonlyOfIssues });
  await page.locator(".trouble").first().waitFor();
  require((await page.locator("main").innerText()).includes("READ_ANALYTICS"), await page.locator("main").innerText());
  await context.close();
  return complaints;
}

export const figures = [
  a_plan_is_drawn_as_a_graph_and_lives,
  a_step_that_failed_shows_how_often_and_what_was_said,
  figures_of_days_are_drawn_and_told,
  agents_are_lanes_over_the_day,
  a_run_tells_what_happened_when,
  who_may_not_see_figures_is_told_so,
];

export const figurePages = ["/console/analytics", "/console/day", `/console/goals/${drawn.goal}`];
