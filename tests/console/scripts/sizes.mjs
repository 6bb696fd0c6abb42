/** What a laptop and a phone have room for. */

import { facts, operator, require } from "./browser.mjs";
import { inParts, isShown, pagesToSee } from "./places.mjs";

async function all_places_are_in_sight_on_a_laptop(browser) {
  const { page, context, complaints } = await operator(browser, "/console", { viewport: { width: 1280, height: 720 } });
  const hidden = await page.locator(".brand, .bar nav a, .foot button").evaluateAll((all) =>
    all.filter((one) => one.getBoundingClientRect().height < 20 || one.getBoundingClientRect().bottom > window.innerHeight).map((one) => one.textContent),
  );
  require(!hidden.length, hidden.join());
  const places = await page.locator(".bar nav").evaluate((nav) => nav.scrollHeight - nav.clientHeight);
  require(places <= 0, `the places are ${places} px too many`);
  await context.close();
  return complaints;
}

async function a_phone_scrolls_in_one_direction(browser) {
  const complaints = [];
  for (const paths of inParts(pagesToSee())) {
    const visit = await operator(browser, "/console", { viewport: { width: 360, height: 740 } });
    for (const path of paths) {
      await visit.page.goto(`${facts.baseUrl}${path}`);
      await isShown(visit.page, path);
      const [inner, width] = await visit.page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
      require(inner <= width, `${path} is ${inner} px wide`);
    }
    complaints.push(...visit.complaints);
    await visit.context.close();
  }
  return complaints;
}

export const sizes = [all_places_are_in_sight_on_a_laptop, a_phone_scrolls_in_one_direction];
