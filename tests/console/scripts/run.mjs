/** Runs the checks one after the other; each fails by what it saw, or by what the browser complained about. */

import { apps } from "./apps.mjs";
import { facts, launch, operator } from "./browser.mjs";
import { checks, pagesToSee } from "./checks.mjs";

const browser = await launch();
if (facts.screenshots) await takePictures();
let failed = 0;
const wanted = [...checks, ...apps].filter((check) => facts.only.split("|").some((words) => nameOf(check).includes(words)));
for (const check of wanted) {
  const name = nameOf(check);
  try {
    const complaints = await check(browser);
    if (complaints.length) throw new Error(`the browser complained: ${complaints.join(" | ")}`);
    console.log(`ok      ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}: ${String(error.message).slice(0, 600)}`);
  }
}
await browser.close();
console.log(`${wanted.length - failed} of ${wanted.length} checks passed.`);
process.exit(failed ? 1 : 0);

function nameOf(check) {
  return check.name.replaceAll("_", " ");
}

/** Before anything is decided: every page, wide and narrow, by day and by night. */
async function takePictures() {
  for (const colorScheme of ["light", "dark"]) {
    for (const [size, width] of Object.entries({ wide: 1280, narrow: 360 })) {
      const { page, context } = await operator(browser, "/console", { colorScheme, viewport: { width, height: 800 } });
      for (const path of pagesToSee()) {
        await page.goto(`${facts.baseUrl}${path}`);
        await page.locator("main .parts .part:not(:empty)").first().waitFor();
        const name = path.replace(/^\/console\/?/, "").replaceAll("/", "_") || "inbox";
        await page.screenshot({
          path: `${facts.screenshots}/${name}-${size}-${colorScheme}.png`,
          fullPage: size === "wide",
        });
      }
      await context.close();
    }
  }
}
