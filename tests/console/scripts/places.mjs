/** Every page of the console, with something to be seen on it. */

import { facts, require } from "./browser.mjs";
import { figurePages } from "./figures.mjs";

const { requests, issues } = facts;

/** So many pages as one key may ask for in a minute. */
export function inParts(paths) {
  const most = 8;
  return Array.from({ length: Math.ceil(paths.length / most) }, (_, part) => paths.slice(part * most, (part + 1) * most));
}

export async function isShown(page, path) {
  const first = page.locator("main .parts .part:not(:empty)").first();
  await first.waitFor().catch(async () => require(false, `${path}: ${await page.locator("main").innerText()}`));
}

export function pagesToSee() {
  const shown = Object.values(requests).map((id) => `/console/requests/${id}`);
  const rest = [
    "",
    "/board",
    "/goals",
    "/cycles",
    `/cycles/${facts.work.cycle}`,
    "/initiatives",
    `/initiatives/${facts.work.initiative}`,
    `/goals/${facts.goal.id}`,
    `/goals/${facts.stuck.goal}`,
    "/agents",
    `/gates/${facts.gate}`,
    `/gates/${facts.stuck.gate}`,
    `/runs/${facts.run}`,
    "/pipelines",
    `/pipelines/${facts.pipeline}`,
  ];
  const own = [...rest.map((one) => `/console${one}`), ...[...Object.values(issues), facts.work.issue].map((id) => `/console/issues/${id}`)];
  return [...own, ...shown, ...figurePages, new URL(facts.pull).pathname];
}
