/** Pictures for the guides, before anything is decided: wide and narrow, by day and by night. */

import { facts, operator } from "./browser.mjs";

const SIZES = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 760 } };

function pictured() {
  return {
    inbox: "/console",
    request: `/console/requests/${facts.requests.move}`,
    board: "/console/board",
    issue: `/console/issues/${facts.issues.login}`,
    cycle: `/console/cycles/${facts.work.cycle}`,
    goal: `/console/goals/${facts.drawn.goal}`,
    analytics: "/console/analytics",
    day: "/console/day",
    run: `/console/runs/${facts.run}`,
    agents: "/console/agents",
    keys: "/console/keys",
    webhooks: "/console/webhooks",
    settings: "/console/settings",
  };
}

export async function takePictures(browser) {
  const keys = facts.keys.operators;
  let at = 0;
  for (const colorScheme of ["light", "dark"]) {
    for (const [size, viewport] of Object.entries(SIZES)) {
      const key = keys[at++ % keys.length];
      const { page, context } = await operator(browser, "/console", { colorScheme, viewport, key });
      for (const [name, path] of Object.entries(pictured())) {
        await page.goto(`${facts.baseUrl}${path}`);
        await page.locator("main .parts .part:not(:empty)").first().waitFor();
        if (name === "cycle") await page.locator(".plot canvas").waitFor();
        await page.screenshot({ path: `${facts.screenshots}/${name}-${size}-${colorScheme}.png`, animations: "disabled" });
      }
      await context.close();
    }
  }
}
