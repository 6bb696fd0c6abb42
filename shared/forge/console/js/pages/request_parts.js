/** Parts of a request's card: its poll, the steps of a plan, and what changed while somebody looked. */

import { useState } from "../../vendor/hooks.js";
import { call, orNothing } from "../api.js";
import { onceFor, useDeed } from "../deciding.js";
import { h, mark, section, trouble } from "../dom.js";
import { markdown } from "../markdown.js";
import { counted } from "../words.js";

export function showPoll(poll, context) {
  const deed = useDeed(context.app);
  const vote = async (option) => {
    const given = { id: poll.id, optionKey: option.optionKey };
    // A mind may change back: each vote is a call of its own, and the same vote twice is one anyway.
    await call("actionRequests.vote", given, { once: onceFor(context.memory, `vote after ${poll.myVote}`, given) });
    context.memory.attempts = {};
    await context.reload();
  };
  const closed = poll.votingClosedAt ? "Voting is closed. " : "";
  return section(
    "Options",
    trouble(deed.problem),
    h(
      "ul",
      { class: "options" },
      poll.options.map((option) => optionOf(option, poll, deed.isUnderWay, () => deed.act(() => vote(option)))),
    ),
    h("p", { class: "hint" }, `${closed}${counted(poll.total, "vote")} so far.`),
  );
}

/** The steps of a plan to approve, each folded: its texts, its checks, and who does it after which. */
export function showSteps({ planId, steps }) {
  return section("Its steps", h("ol", { class: "steps" }, steps.map((step, place) => stepOf(step, place, planId))));
}

function stepOf(step, place, planId) {
  return h("li", { key: step.id ?? place }, h(Step, { step, place, planId }));
}

/** What a card has no room for never changes, so it can be fetched when somebody looks. */
function Step({ step, place, planId }) {
  const [inside, setInside] = useState(/** @returns {any} */ () => stepTexts(step));
  const [isAsked, setAsked] = useState(false);
  const look = async () => {
    if (!step.truncated || isAsked) return;
    setAsked(true);
    setInside(await wholeOf(step, planId));
  };
  return h(
    "details",
    { ontoggle: look },
    h("summary", null, `${place + 1}. ${step.title}`, stepAbout(step)),
    h("div", null, inside),
  );
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

async function wholeOf(step, planId) {
  const whole = (await orNothing(call("executionPlans.get", { id: planId, stepId: step.id }), null))?.steps[0];
  if (!whole) return [stepTexts(step), h("p", { class: "trouble" }, "This is only its beginning: open it again for more.")];
  const checks = (whole.verification ?? []).map((one) => (one.value ? `${one.label} (${one.value})` : one.label));
  return [h("p", null, whole.title), stepTexts({ ...whole, verification: checks })];
}

function optionOf(option, poll, isUnderWay, vote) {
  const isMine = option.optionKey === poll.myVote;
  const isWinner = option.optionKey === poll.winningOptionKey;
  return h(
    "li",
    { key: option.optionKey, class: isMine ? "mine" : "" },
    h(
      "div",
      null,
      h("strong", null, option.label),
      " ",
      isWinner ? mark("won", "good") : null,
      option.description ? h("p", null, option.description) : null,
    ),
    h("span", { class: "count" }, counted(option.count, "vote")),
    poll.isOpen
      ? h("button", { type: "button", disabled: isMine || isUnderWay, onclick: vote }, isMine ? "Your vote" : "Vote for this")
      : null,
  );
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
