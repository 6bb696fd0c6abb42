/** Runs the checks one after the other; each fails by what it saw, or by what the browser complained about. */

import { apps } from "./apps.mjs";
import { facts, launch } from "./browser.mjs";
import { checks } from "./checks.mjs";
import { deliveries } from "./deliveries.mjs";
import { singleSignOn } from "./single_sign_on.mjs";

const browser = await launch();
let failed = 0;
const wanted = [...checks, ...singleSignOn, ...apps, ...deliveries].filter((check) => new RegExp(facts.only).test(nameOf(check)));
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
