/** Pictures for the guides, of a team in the middle of its week: by day and by night, at a desk and on a phone. */

import { facts, launch, operator } from "./browser.mjs";

const SIZES = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 780 } };
const PLACES = {
  needs: "/console",
  request: `/console/requests/${facts.request}`,
  board: "/console/board",
  issue: `/console/issues/${facts.issue}`,
  cycle: `/console/cycles/${facts.cycle}`,
  goal: `/console/goals/${facts.goal}`,
  analytics: "/console/analytics",
};
/** Few: they are fetched with every clone. */
const WANTED = [
  ...["needs desk light", "needs desk dark", "needs phone dark", "request phone light", "board desk light"],
  ...["board desk dark", "issue desk light", "cycle desk light", "goal desk light", "analytics desk light", "board phone light"],
];
async function settled(page, name) {
  await page.locator("main .parts .part:not(:empty)").first().waitFor();
  if (["cycle", "analytics"].includes(name)) await page.locator(".plot canvas").first().waitFor();
  if (name === "goal") await page.locator("svg.plan").waitFor();
  if (name === "needs") await page.getByRole("button", { name: "Answer Which browsers" }).click();
  if (name === "issue") await page.locator('[data-part="runs"] summary').first().click();
  // What is read after what is seen at first: names, charts, logs.
  await page.waitForTimeout(600);
}

async function take(browser, size, colorScheme) {
  const names = Object.keys(PLACES).filter((name) => WANTED.includes(`${name} ${size} ${colorScheme}`));
  if (!names.length) return;
  const { page, context } = await operator(browser, "/console", { colorScheme, viewport: SIZES[size] });
  for (const name of names) {
    await page.goto(`${facts.baseUrl}${PLACES[name]}`);
    await settled(page, name);
    await page.screenshot({ path: `${facts.screenshots}/${name}-${size}-${colorScheme}.png`, animations: "disabled" });
  }
  await context.close();
}

const browser = await launch();
for (const colorScheme of ["light", "dark"]) {
  for (const size of Object.keys(SIZES)) await take(browser, size, colorScheme);
}
await browser.close();
