/** What holds on every page, before anything is decided: it can be listened to, and what others wrote stays text. */

import { facts, operator, require } from "./browser.mjs";
import { inParts, isShown, pagesToSee } from "./places.mjs";
import { accessibleEverywhere, inert } from "./reading.mjs";

const { issues, requests } = facts;

/** Every page, by as many people as it takes. */
async function onEachPage(browser, look) {
  const complaints = [];
  for (const paths of inParts(pagesToSee())) {
    const visit = await operator(browser);
    for (const path of paths) {
      await visit.page.goto(`${facts.baseUrl}${path}`);
      await isShown(visit.page, path);
      await look(visit.page, path);
    }
    complaints.push(...visit.complaints);
    await visit.context.close();
  }
  return complaints;
}

async function nothing_serious_keeps_anybody_out(browser) {
  return onEachPage(browser, accessibleEverywhere);
}

async function what_others_write_stays_text_everywhere(browser) {
  const hostile = [`/console/issues/${issues.hostile}`, `/console/requests/${requests.hostile}`, "/console/board", "/console"];
  const seen = [];
  const complaints = await onEachPage(browser, async (page, path) => {
    for (const summary of await page.locator("main details:not([open]) > summary").all()) {
      if (await summary.isVisible()) await summary.click();
    }
    if (await inert(page, path)) seen.push(path);
  });
  const missing = hostile.filter((path) => !seen.includes(path));
  require(!missing.length, `nothing hostile was to be seen on ${missing.join()}`);
  return complaints;
}

export const everywhere = [nothing_serious_keeps_anybody_out, what_others_write_stays_text_everywhere];
