/** How long it takes until one can work: this console beside the one before it, in turns, each with nothing kept. */

import { facts, launch } from "./browser.mjs";

const ROUNDS = 5;
/** What is to be seen when a page can be used. */
const PAGES = { "/console/board": ".card", "/console/agents": "main .row", "/console": "main .clear, main .row" };
/** This one shows more when it opens; what is beyond that is felt. */
const MOST = 1.5;
const FELT_MS = 100;
const SETTLED_MS = 800;

/** Notes when it is there, and when the last long task before that and soon after it was over. */
function watch(selector) {
  window.shownAt = 0;
  window.busyUntil = 0;
  const look = () => {
    if (!window.shownAt && document.querySelector(selector)) requestAnimationFrame(() => (window.shownAt ||= performance.now()));
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true });
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) window.busyUntil = Math.max(window.busyUntil, one.startTime + one.duration);
  }).observe({ type: "longtask", buffered: true });
}

async function opened(browser, { baseUrl, key }, path) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, serviceWorkers: "block" });
  const page = await context.newPage();
  await page.addInitScript((own) => sessionStorage.setItem("forge.console.key", own), key);
  await page.addInitScript(watch, PAGES[path]);
  await page.goto(`${baseUrl}${path}`);
  await page.waitForFunction(() => window.shownAt > 0);
  await page.waitForTimeout(SETTLED_MS);
  const [shown, busy] = await page.evaluate(() => [window.shownAt, window.busyUntil]);
  await context.close();
  return Math.max(shown, busy);
}

const middle = (times) => Math.round(times.sort((one, other) => one - other)[Math.floor(times.length / 2)]);

const browser = await launch();
let failed = 0;
for (const path of Object.keys(PAGES)) {
  const times = { before: [], now: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const which of round % 2 ? ["now", "before"] : ["before", "now"]) times[which].push(await opened(browser, facts.consoles[which], path));
  }
  const [before, now] = [middle(times.before), middle(times.now)];
  const isSlow = now > before * MOST + FELT_MS;
  failed += Number(isSlow);
  console.log(`${isSlow ? "FAILED" : "ok    "}  ${path} can be used after ${now} ms (the console before: ${before} ms)`);
}
await browser.close();
process.exit(failed ? 1 : 0);
