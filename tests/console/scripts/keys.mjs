/** What an operator does without a mouse, and where a click may land. */

import { facts, operator, require } from "./browser.mjs";

const { issues } = facts;

async function keys_lead_from_row_to_row_and_from_page_to_page(browser) {
  const { page, context, complaints } = await operator(browser);
  const rows = page.locator('[data-part="yours"] .row .what a');
  await rows.first().waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  require((await focused()) === (await rows.nth(1).innerText()), await focused());
  await page.keyboard.press("k");
  require((await focused()) === (await rows.first().innerText()), await focused());
  await page.keyboard.press("g");
  await page.keyboard.press("b");
  await page.getByRole("heading", { name: "Board" }).waitFor();
  await page.getByLabel("Text").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("jk?");
  require((await page.getByLabel("Text").inputValue()) === "jk?", "typing is taken for keys");
  await page.getByRole("heading", { name: "Board" }).click();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).getByText("Ctrl K").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await context.close();
  return complaints;
}

async function everything_is_found_by_its_name(browser) {
  const { page, context, complaints } = await operator(browser);
  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog", { name: "Find" });
  await dialog.getByRole("combobox").fill(issues.cache.toLowerCase());
  await dialog.getByRole("option", { name: "Drop the cache" }).waitFor();
  await dialog.getByRole("combobox").fill("importer");
  await dialog.getByRole("option", { name: "Goal Ship the importer" }).waitFor();
  await dialog.getByRole("combobox").fill("login page");
  await dialog.getByRole("option", { name: "Pipeline Add a login page" }).waitFor();
  await dialog.getByRole("combobox").fill("nobody waits");
  await dialog.getByRole("option", { name: "Initiative Nobody waits to sign in" }).waitFor();
  await dialog.getByRole("combobox").fill("which browsers");
  await dialog.getByRole("option", { name: "Needs you Which browsers do we support?" }).waitFor();
  await dialog.getByRole("combobox").fill("november");
  await dialog.getByRole("option", { name: "Cycle November" }).waitFor();
  await dialog.getByRole("combobox").fill("new issue");
  await dialog.getByRole("option", { name: "Do New issue" }).click();
  await page.getByRole("dialog", { name: "New issue" }).getByRole("button", { name: "Cancel" }).click();
  await page.keyboard.press("Control+k");
  await dialog.getByRole("combobox").fill("login");
  await dialog.getByRole("option", { name: "Fix login timeout" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Fix login timeout" }).waitFor();
  require((await page.getByRole("dialog").count()) === 0, "it is still open");
  await context.close();
  return complaints;
}

async function a_whole_row_can_be_clicked(browser) {
  const { page, context, complaints } = await operator(browser);
  const row = page.locator('[data-part="yours"] .row', { hasText: "Which browsers do we support?" });
  const box = await row.boundingBox();
  await page.mouse.click(box.x + box.width - 8, box.y + box.height / 2);
  await page.getByRole("heading", { name: "Which browsers do we support?" }).waitFor();
  await context.close();
  return complaints;
}

async function what_is_typed_above_a_page_is_sent_by_a_key(browser) {
  const { page, context, complaints } = await operator(browser, "/console/board");
  await page.locator(".card").first().waitFor();
  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog", { name: "New issue" });
  await dialog.getByLabel("Title").fill("Written without a mouse");
  await dialog.getByLabel("Description").fill("From beginning to end.");
  await page.keyboard.press("Control+Enter");
  await page.locator('[data-part="written"]').getByRole("link").click();
  await page.getByRole("heading", { name: "Written without a mouse" }).waitFor();
  await page.keyboard.press("e");
  await page.getByRole("dialog").getByLabel("Description").fill("And changed so.");
  await page.keyboard.press("Control+Enter");
  await page.locator(".prose", { hasText: "And changed so." }).waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await context.close();
  return complaints;
}

export const keyboard = [
  keys_lead_from_row_to_row_and_from_page_to_page,
  everything_is_found_by_its_name,
  a_whole_row_can_be_clicked,
  what_is_typed_above_a_page_is_sent_by_a_key,
];
