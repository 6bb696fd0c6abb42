/** What those who listen to a page meet: axe looks at it as it is shown. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { require as must } from "./browser.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Nothing serious is wrong with what the page shows. */
export async function accessible(page, where) {
  // Read in by the tool and not by the page, whose policy admits our own files alone.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run(document, { resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] }),
  );
  const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const told = grave.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target, failureSummary }) => `${target} ${failureSummary}`).join("; ")}`);
  must(!grave.length, `${where}: ${told.join(" | ")}`);
}

/** Whatever others wrote is text: whether some of it was there that would rather not be. */
export async function inert(page, where) {
  const shown = await page.locator("main").evaluate((main) => main.textContent);
  must((await page.locator("main img, main script, main iframe, main object, main embed").count()) === 0, `markup on ${where}`);
  must((await page.title()).endsWith(" · Forge"), `a script ran on ${where}`);
  return shown.includes("<img src=x");
}

/** The same in every width and colour that a page has. */
export async function accessibleEverywhere(page, where) {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await accessible(page, `${where}, ${width} px, ${colorScheme}`);
      const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
      must(inner <= outer, `${where} is ${inner} px wide at ${width}`);
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
}
