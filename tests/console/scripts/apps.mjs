/** The card that other hosts show of a decision: in a frame that may run scripts and nothing else. */

import { call, facts, require, requestNow, visitor } from "./browser.mjs";

const { keys } = facts;
const HOSTILE = "<img src=x onerror=\"document.title='owned'\">";

/** What a host does for the app in its frame, and all that the app asked of it. */
function hosting({ html, given, result, refuses }) {
  window.asked = [];
  const frame = Object.assign(document.createElement("iframe"), { srcdoc: html, sandbox: "allow-scripts" });
  frame.style.width = "420px";
  const tell = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
  window.addEventListener("message", async ({ source, data }) => {
    if (source !== frame.contentWindow) return;
    window.asked.push(data);
    if (data.method === "ui/initialize") tell({ id: data.id, result: { protocolVersion: "2026-01-26", hostContext: {} } });
    if (data.method === "ui/open-link") tell({ id: data.id, result: {} });
    if (data.method === "tools/call") {
      if (refuses) tell({ id: data.id, error: { code: -32601, message: "No tools for apps." } });
      else tell({ id: data.id, result: { structuredContent: await window.called(data.params) } });
    }
    if (data.method === "ui/notifications/initialized") {
      tell({ method: "ui/notifications/tool-input", params: { arguments: given } });
      tell({ method: "ui/notifications/tool-result", params: { structuredContent: result, isError: false } });
    }
  });
  document.body.append(frame);
}

async function hosted(browser, refuses) {
  const visiting = await visitor(browser);
  const worker = keys.agents.worker;
  const given = { title: "Which way?", body: `Because ${HOSTILE}`, issueId: facts.issues.move ?? Object.values(facts.issues)[0] };
  const result = await call(worker, "actionRequests.create", given);
  const read = await fetch(`${facts.baseUrl}/api/mcp/resources?uri=ui://forge/decision`, { headers: { authorization: `Bearer ${worker}` } });
  const [{ text, mimeType }] = (await read.json()).contents;
  require(mimeType === "text/html;profile=mcp-app", mimeType);
  await visiting.page.exposeFunction("called", ({ name, arguments: order }) => call(worker, name.replace("_", "."), order));
  await visiting.page.goto("about:blank");
  await visiting.page.evaluate(hosting, { html: text, given, result, refuses });
  return { ...visiting, result, card: visiting.page.frameLocator("iframe") };
}

async function the_card_of_a_decision_says_what_a_yes_does_and_leads_to_the_console(browser) {
  const { page, context, complaints, card, result } = await hosted(browser, false);
  await card.getByRole("heading", { name: "A yes does this" }).waitFor();
  require((await card.locator("body").innerText()).includes(HOSTILE), "what others wrote is not shown as text");
  require((await page.title()) !== "owned", "what others wrote was run");
  await card.getByRole("button", { name: "Decide in Forge" }).click();
  const asked = await page.evaluate(() => window.asked);
  const opened = asked.find((one) => one.method === "ui/open-link");
  require(opened?.params.url === result.url && result.url.startsWith("http"), JSON.stringify(opened));
  require(asked.some((one) => one.method === "ui/notifications/size-changed" && one.params.height > 50), "has no size");
  require((await requestNow(result.id)).status === "OPEN", "the card decided it");
  await context.close();
  return complaints;
}

async function a_host_that_lets_no_app_call_tools_shows_what_was_asked(browser) {
  const { context, complaints, card } = await hosted(browser, true);
  await card.getByRole("heading", { name: "Which way?" }).waitFor();
  await card.getByRole("button", { name: "Decide in Forge" }).waitFor();
  require(!(await card.locator("#yes").isVisible()), "makes up what a yes does");
  await context.close();
  return complaints;
}

export const apps = [
  the_card_of_a_decision_says_what_a_yes_does_and_leads_to_the_console,
  a_host_that_lets_no_app_call_tools_shows_what_was_asked,
];
