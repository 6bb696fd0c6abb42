/** Work that is done in the console: written, moved, changed, said; and what is looked at meanwhile. */

import { call, facts, operator, require, shows, signIn, visitor } from "./browser.mjs";

const { keys, issues, work } = facts;

async function issueNow(id) {
  return call(keys.owner, "issues.get", { id, include: { description: true, relations: true, attachments: true } });
}

async function an_issue_is_written_with_all_that_it_has(browser) {
  const { page, context, complaints } = await operator(browser, "/console/board");
  const sent = [];
  page.on("request", (one) => one.url().endsWith("issues.create") && sent.push(one.headers()));
  await page.getByRole("button", { name: "New issue" }).click();
  const dialog = page.getByRole("dialog", { name: "New issue" });
  await dialog.getByLabel("Title").fill("Remember the last page");
  await dialog.getByLabel("Description").fill("As @wor");
  await dialog.getByRole("option", { name: "@worker Worker" }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type("asked in #passkey");
  await dialog.getByRole("option", { name: "Sign in with a passkey" }).waitFor();
  await page.keyboard.press("Tab");
  await dialog.getByLabel("Priority").selectOption("HIGH");
  await dialog.getByLabel("Project").selectOption({ label: "Web" });
  await dialog.getByLabel("Label").selectOption({ label: "accessibility" });
  await dialog.getByRole("button", { name: "Create" }).dblclick();
  await page.locator(".card", { hasText: "Remember the last page" }).waitFor();
  await page.locator('[data-part="written"]').getByRole("link", { name: /^DEMO-\d+$/ }).waitFor();
  const { data } = await call(keys.owner, "issues.list", { query: "Remember the last page" });
  require(data.length === 1 && sent.length === 1 && sent[0]["idempotency-key"], `${data.length} issues, ${sent.length} calls`);
  const made = await issueNow(data[0].id);
  require(/^As @worker asked in DEMO-\d+\s*$/.test(made.description), made.description);
  require(made.priority === "HIGH" && made.project.name === "Web" && made.labels.length === 1, JSON.stringify(made));
  await context.close();
  return complaints;
}

async function a_card_is_moved_by_hand_by_keys_and_by_its_menu(browser) {
  const made = await call(keys.owner, "issues.create", { title: "Move me around" });
  const { page, context, complaints } = await operator(browser, "/console/board");
  const card = page.locator(".card", { hasText: "Move me around" });
  const column = (name) => page.getByRole("region", { name, exact: true });
  await card.dragTo(column("In Review"));
  await column("In Review").getByText("Move me around").waitFor();
  require((await issueNow(made.id)).status.name === "In Review", "it was not moved");
  await card.getByRole("link").focus();
  await page.keyboard.press("Shift+ArrowLeft");
  await column("In Progress").getByText("Move me around").waitFor();
  require(await card.getByRole("link").evaluate((link) => link === document.activeElement), "the card lost the focus");
  await card.getByRole("button", { name: "Move" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Backlog" }).click();
  await column("Backlog").getByText("Move me around").waitFor();
  require((await issueNow(made.id)).status.name === "Backlog", "it was not moved by the menu");
  await context.close();
  return complaints;
}

async function the_board_says_who_works_on_what_and_keeps_its_filters_in_the_address(browser) {
  const { page, context, complaints } = await operator(browser, "/console/board");
  const card = page.locator(".card", { hasText: "Fix login timeout" });
  await card.getByText("@worker").waitFor();
  require(/for (a moment|\d)/.test(await card.innerText()) && /November/.test(await card.innerText()), await card.innerText());
  await page.getByLabel("Label").selectOption({ label: "accessibility" });
  await page.getByText("Fix login timeout").waitFor({ state: "detached" });
  await page.getByLabel("Cycle").selectOption({ label: "November" });
  await page.waitForFunction(() => /label=.*cycle=/.test(location.search));
  await page.reload();
  await page.locator(".card", { hasText: "Focus the first field" }).waitFor();
  require((await page.locator(".card", { hasText: "Fix login timeout" }).count()) === 0, "the filter is gone");
  await context.close();
  return complaints;
}

async function an_issue_is_changed_where_it_is_read(browser) {
  const { page, context, complaints } = await operator(browser, `/console/issues/${work.issue}`);
  await page.getByLabel("Status", { exact: true }).selectOption({ label: "Todo" });
  await page.locator('[data-part="state"]').getByText("Todo").waitFor();
  await page.getByLabel("Agent", { exact: true }).selectOption({ label: "@reviewer" });
  await page.getByText("Assigned to").waitFor();
  await page.getByLabel("Labels").selectOption({ label: "type:bug" });
  await page.getByRole("button", { name: "Remove the label type:bug" }).waitFor();
  await page.getByLabel("Due").fill("2099-02-03");
  await page.getByText("Relate", { exact: true }).click();
  await page.getByLabel("Related issue").fill(issues.cache);
  await page.getByLabel("Kind of relation").selectOption({ label: "relates to" });
  await page.locator('[data-part="relations"]').getByRole("button", { name: "Add" }).click();
  await page.locator('[data-part="relations"]').getByText("Drop the cache").waitFor();
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("dialog").getByLabel("Description").fill("| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.locator(".prose table").waitFor();
  await page.getByText("Attach a link", { exact: true }).click();
  await page.getByLabel("Address", { exact: true }).fill("https://example.com/plan");
  await page.getByLabel("Title", { exact: true }).fill("The plan");
  await page.locator('[data-part="files"]').getByRole("button", { name: "Add" }).click();
  await page.locator('[data-part="files"]').getByRole("link", { name: "The plan" }).waitFor();
  const now = await issueNow(work.issue);
  require(now.assignedAgent.profileKey === "reviewer" && now.dueDate.startsWith("2099-02-03"), JSON.stringify(now));
  require(now.labels.some(({ name }) => name === "type:bug") && now.attachments.length === 1, JSON.stringify(now));
  await context.close();
  return complaints;
}

async function a_date_is_typed_and_the_keyboard_stays_where_it_was(browser) {
  const made = await call(keys.owner, "issues.create", { title: "Due some day" });
  const { page, context, complaints } = await operator(browser, `/console/issues/${made.identifier}`);
  const sent = [];
  page.on("request", (one) => one.url().endsWith("issues.update") && sent.push(one.postData()));
  const focused = () => page.evaluate(() => document.activeElement?.id);
  await page.getByLabel("Priority", { exact: true }).focus();
  await page.getByLabel("Priority", { exact: true }).selectOption("URGENT");
  await page.locator('[data-part="state"]').getByText("urgent").waitFor();
  require((await focused()) === "is-priority", `the focus is on ${await focused()}`);
  await page.getByLabel("Due").focus();
  await page.keyboard.type("02032099", { delay: 50 });
  await page.locator('[data-part="properties"]').waitFor();
  for (let tries = 0; sent.length < 2 && tries < 40; tries += 1) await page.waitForTimeout(100);
  require(sent.length === 2 && sent[1].includes("2099-02-03"), sent.join(" | "));
  require((await focused()) === "is-due", `the focus is on ${await focused()}`);
  await context.close();
  return complaints;
}

async function what_is_typed_is_not_lost_by_one_key_or_one_look(browser) {
  const { page, context, complaints } = await operator(browser, `/console/issues/${issues.cache}`);
  await page.getByLabel("Say something").fill("Half a thought");
  await page.getByRole("link", { name: "Cycles" }).click();
  await page.getByRole("heading", { name: "Cycles" }).waitFor();
  await page.goBack();
  await page.getByLabel("Say something").waitFor();
  require((await page.getByLabel("Say something").inputValue()) === "Half a thought", "the comment is gone");
  await page.goto(`${facts.baseUrl}/console/board`);
  await page.getByRole("button", { name: "New issue" }).click();
  const dialog = page.getByRole("dialog", { name: "New issue" });
  await dialog.getByLabel("Title").fill("Not yet written down");
  await page.keyboard.press("Escape");
  await dialog.getByText("Escape once more").waitFor();
  require((await dialog.getByLabel("Title").inputValue()) === "Not yet written down", "the words are gone");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await context.close();
  return complaints;
}

async function a_file_is_attached_and_comes_back_as_it_was_and_never_as_a_page(browser) {
  const { page, context, complaints } = await operator(browser, `/console/issues/${work.issue}`);
  const files = page.locator('[data-part="files"]');
  const attach = async (name, mimeType, buffer) => {
    await files.getByLabel("File, 2 MB at most").setInputFiles({ name, mimeType, buffer });
    await files.locator("details", { hasText: "Attach a file" }).getByRole("button", { name: "Add" }).click();
  };
  await files.getByText("Attach a file", { exact: true }).click();
  const picture = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>");
  await attach("<b>logo</b>.svg", "image/svg+xml", picture);
  const row = files.locator("li", { hasText: "<b>logo</b>.svg" });
  await row.getByRole("button", { name: "Get it" }).click();
  const response = await fetch(await row.getByRole("link", { name: "Download" }).getAttribute("href"));
  require(Buffer.from(await response.arrayBuffer()).equals(picture), "it is another file");
  const said = [response.headers.get("content-type"), response.headers.get("content-disposition")].join(" ");
  require(said.startsWith("application/octet-stream attachment"), said);
  await attach("film.bin", "text/plain", Buffer.alloc(2 * 1024 * 1024 + 1));
  await files.getByText("at most 2 MB are sent").waitFor();
  await context.close();
  return complaints;
}

async function a_log_is_followed_while_it_grows(browser) {
  const { page, context, complaints } = await operator(browser, `/console/issues/${issues.login}`);
  const runs = page.locator('[data-part="runs"]');
  await runs.getByText("Log", { exact: true }).first().click();
  await runs.getByText("12 passed").waitFor();
  require((await runs.innerText()).includes(facts.hostile.slice(0, 20)), "what was logged is not shown as text");
  const [{ id }] = (await call(keys.owner, "runs.list", { issueId: issues.login })).data;
  await call(keys.agents.worker, "runs.appendLog", { runId: id, seq: 1, chunk: "13 passed\n" });
  await runs.getByText("13 passed").waitFor();
  await context.close();
  return complaints;
}

async function cycles_and_initiatives_show_how_far_they_are(browser) {
  const { page, context, complaints } = await operator(browser, "/console/cycles");
  await page.getByRole("link", { name: "November" }).click();
  await shows(page, "1 of 5 done");
  await page.getByRole("img", { name: "Burn-up" }).locator("canvas").waitFor();
  const rows = page.locator('[data-part="issues"] .row');
  require((await rows.last().innerText()).includes("Done"), "what is done is not the last");
  require((await rows.filter({ hasText: "due in" }).count()) === 1, "nobody sees what is due");
  await page.getByLabel("Issues to put in").fill(issues.cache);
  await page.getByRole("button", { name: "Put in" }).click();
  await shows(page, "1 of 6 done");
  await page.goto(`${facts.baseUrl}/console/initiatives/${work.initiative}`);
  await page.getByRole("link", { name: "Web" }).waitFor();
  await page.getByRole("img", { name: "Burn-up" }).locator("canvas").waitFor();
  await context.close();
  return complaints;
}

async function whoever_only_reads_changes_nothing(browser) {
  const { page, context, open, complaints } = await visitor(browser);
  await open("/console/board");
  await signIn(page, keys.readonly);
  await page.locator(".card").first().waitFor();
  require((await page.locator(".card[draggable=true], main button:not([aria-label^='Show more'])").count()) === 0, "a way to move cards");
  for (const path of [`issues/${work.issue}`, "cycles", `cycles/${work.cycle}`]) {
    await open(`/console/${path}`);
    await page.locator("main .parts .part:not(:empty)").first().waitFor();
    // Files are there to be read.
    const buttons = await page.locator("main button:not(:text('Get it')), main select, main input").allInnerTexts();
    require(buttons.length === 0, `${path} has ${buttons.join()}`);
  }
  const refused = await page.evaluate(async (key) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    return (await fetch("/api/mcp/issues.create", { method: "POST", headers, body: '{"title":"x"}' })).status;
  }, keys.readonly);
  require(refused === 403, `creating answered ${refused}`);
  await context.close();
  return complaints;
}

export const working = [
  an_issue_is_written_with_all_that_it_has,
  a_card_is_moved_by_hand_by_keys_and_by_its_menu,
  the_board_says_who_works_on_what_and_keeps_its_filters_in_the_address,
  an_issue_is_changed_where_it_is_read,
  a_date_is_typed_and_the_keyboard_stays_where_it_was,
  what_is_typed_is_not_lost_by_one_key_or_one_look,
  a_file_is_attached_and_comes_back_as_it_was_and_never_as_a_page,
  a_log_is_followed_while_it_grows,
  cycles_and_initiatives_show_how_far_they_are,
  whoever_only_reads_changes_nothing,
];
