/** Two parts of a request's card: its poll, and what changed while somebody looked. */

import { Refused, call } from "../api.js";
import { onceFor } from "../deciding.js";
import { fill, h, mark, section } from "../dom.js";
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
