/** A browser, a page in it, and what a check asks of both. */

import { chromium } from "playwright-core";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const WIDE = { width: 1280, height: 900 };

export const facts = JSON.parse(process.env.FORGE_FACTS);
let operators = 0;

export function launch() {
  return chromium.launch({ executablePath: facts.browser, args: FLAGS });
}

/** A person at a device of their own: nobody else's keys, and everything that the browser complains about. */
export async function visitor(browser, { viewport = WIDE, colorScheme = "light" } = {}) {
  const context = await browser.newContext({ viewport, colorScheme, serviceWorkers: "block" });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints = [];
  page.on("console", (message) => {
    // What the server refuses on purpose is told there, too.
    if (message.type() === "error" && !/status of 4\d\d/.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  return { page, context, complaints, open: (path) => page.goto(`${facts.baseUrl}${path}`) };
}

/** The same, and signed in. */
export async function operator(browser, path = "/console", how = {}) {
  const visiting = await visitor(browser, how);
  await visiting.open(path);
  await signIn(visiting.page, how.key ?? facts.keys.owners[operators++ % facts.keys.owners.length]);
  await visiting.page.locator("main .parts > *").first().waitFor({ state: "attached" });
  return visiting;
}

export async function signIn(page, key) {
  await page.getByLabel("Your API key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Call a tool past the browser, as whoever has the key. */
export async function call(key, tool, given) {
  const response = await fetch(`${facts.baseUrl}/api/mcp/${tool}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(given),
  });
  const body = await response.json();
  if (!response.ok) throw new Error(`${tool}: ${JSON.stringify(body)}`);
  return body;
}

/** Make calls with a key until it may make no more in this minute, of which enough is left to look. */
export async function exhaust(key) {
  const once = () =>
    fetch(`${facts.baseUrl}/api/mcp/workspace.get`, { method: "POST", headers: { authorization: `Bearer ${key}` } });
  for (;;) {
    const answers = await Promise.all(Array.from({ length: 20 }, once));
    if (answers.some((one) => one.status === 429 && Number(one.headers.get("retry-after")) >= 10)) return;
  }
}

export async function requestNow(id) {
  return (await call(facts.keys.owner, "actionRequests.list", { id, include: ["card"] })).data[0];
}

export function require(isSo, what) {
  if (!isSo) throw new Error(what);
}

export async function shows(page, text) {
  await page.getByText(text).first().waitFor();
}
