/** Parts of a request's card: its poll, the steps of a plan, and what changed while somebody looked. */

import { Refused, call, orNothing } from "../api.js";
import { onceFor } from "../deciding.js";
import { fill, h, mark, section } from "../dom.js";
import { markdown } from "../markdown.js";
import { counted } from "../words.js";

export function showPoll(poll, context) {
  const problem = h("p", { class: "trouble", role: "alert", hidden: true });
  const options = h("ul", { class: "options" });
  options.append(...poll.options.map((option) => optionOf(option, poll, { options, problem, context })));
  const closed = poll.votingClosedAt ? "Voting is closed. " : "";
  return section(
    "Options",
    problem,
    options,
    h("p", { class: "hint" }, `${closed}${counted(poll.total, "vote")} so far.`),
  );
}

/** The steps of a plan to approve, each folded: its texts, its checks, and who does it after which. */
export function showSteps({ planId, steps }) {
  return section("Its steps", h("ol", { class: "steps" }, steps.map((step, place) => stepOf(step, place, planId))));
}

function stepOf(step, place, planId) {
  const inside = h("div", null, stepTexts(step));
  const folded = h("details", null, h("summary", null, `${place + 1}. ${step.title}`, stepAbout(step)), inside);
  // What a card has no room for never changes, so it can be fetched when somebody looks.
  if (step.truncated) folded.addEventListener("toggle", () => fillWhole(inside, step, planId), { once: true });
  return h("li", null, folded);
}

function stepAbout({ assignedTo, assignedRole, after }) {
  const about = [assignedTo, assignedRole, after?.length ? `after ${after.join(", ")}` : null].filter(Boolean);
  return about.length ? h("span", { class: "hint" }, ` ${about.join(" · ")}`) : null;
}

function stepTexts({ body, expectedOutput, verification }) {
  const isEmpty = !body && !expectedOutput && !verification?.length;
  if (isEmpty) return h("p", { class: "hint" }, "It says no more than its title.");
  return [
    markdown(body),
    expectedOutput ? h("div", null, h("strong", null, "Expected"), markdown(expectedOutput)) : null,
    verification?.length
      ? h("div", null, h("strong", null, "Checked"), h("ul", null, verification.map((one) => h("li", null, one))))
      : null,
  ];
}

async function fillWhole(inside, step, planId) {
  const whole = (await orNothing(call("executionPlans.get", { id: planId, stepId: step.id }), null))?.steps[0];
  if (!whole) return inside.append(h("p", { class: "trouble" }, "This is only its beginning: open it again for more."));
  const checks = (whole.verification ?? []).map((one) => (one.value ? `${one.label} (${one.value})` : one.label));
  fill(inside, h("p", null, whole.title), stepTexts({ ...whole, verification: checks }));
}

function optionOf(option, poll, where) {
  const isMine = option.optionKey === poll.myVote;
  const isWinner = option.optionKey === poll.winningOptionKey;
  const button = h(
    "button",
    { type: "button", disabled: isMine, onclick: () => vote(option, poll, where) },
    isMine ? "Your vote" : "Vote for this",
  );
  return h(
    "li",
    { class: isMine ? "mine" : "" },
    h(
      "div",
      null,
      h("strong", null, option.label),
      " ",
      isWinner ? mark("won", "good") : null,
      option.description ? h("p", null, option.description) : null,
    ),
    h("span", { class: "count" }, counted(option.count, "vote")),
    poll.isOpen ? button : null,
  );
}

async function vote(option, poll, { options, problem, context }) {
  const buttons = options.querySelectorAll("button");
  for (const button of buttons) button.disabled = true;
  const given = { id: poll.id, optionKey: option.optionKey };
  try {
    // A mind may change back: each vote is a call of its own, and the same vote twice is one anyway.
    await call("actionRequests.vote", given, { once: onceFor(context.memory, `vote after ${poll.myVote}`, given) });
    context.memory.attempts = {};
    await context.reload();
  } catch (refusal) {
    if (!(refusal instanceof Refused)) throw refusal;
    if (refusal.status === 401) return context.app.signedOut(refusal.message);
    problem.hidden = false;
    fill(problem, refusal.message);
    for (const button of buttons) button.disabled = false;
  }
}

/** Before and after, so that a second yes is one to what is now. */
export function showChanges(changes, { memory, reload }) {
  const seen = () => {
    memory.seen = memory.latest;
    return reload();
  };
  return h(
    "section",
    { class: "changed", role: "alert" },
    h("h2", null, "It changed while you looked"),
    changes.map(({ what, before, after }) =>
      h(
        "div",
        { class: "versions" },
        h("h3", null, what),
        h("div", null, h("p", { class: "hint" }, "Before"), h("pre", null, before || "nothing")),
        h("div", null, h("p", { class: "hint" }, "Now"), h("pre", null, after || "nothing")),
      ),
    ),
    h("button", { type: "button", onclick: seen }, "I have seen it"),
  );
}
