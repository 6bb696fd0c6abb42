/** A chat with an agent: what was said, what it is writing just now, and what one says next. */

import { useEffect, useRef, useState } from "../../vendor/hooks.js";
import { Refused } from "../api.js";
import { useDeed } from "../deciding.js";
import { goTo, h, nothing, trouble, when } from "../dom.js";
import { drafted, following, textOf } from "../following.js";
import { markdown } from "../markdown.js";
import { allAgents } from "../names.js";
import { ask, enact } from "../operating/operate.js";
import { paths } from "../routes.js";

const MOST = 50;

export const chatPage = {
  title: "Chat",
  seconds: 30,
  read: readChat,
  decide: chatView,
  show: { back: () => goTo(paths.agents, "All agents"), said: showSaid, writing: showWriting, field: showField },
};

async function readChat({ agent: name }) {
  const [agents, threads] = await Promise.all([allAgents(), ask("threads.list", { limit: 50 })]);
  const agent = agents.find(({ id, profileKey }) => name === profileKey || name === id);
  if (!agent) throw new Refused(404, { message: "There is no such agent, or this key does not see agents." });
  const thread = threads.data.find((/** @type {any} */ one) => one.agentId === agent.id && !one.archivedAt);
  const { messages } = thread ? await ask("threads.get", { threadId: thread.id, limit: MOST }) : { messages: [] };
  return { agent, threadId: thread?.id ?? null, messages };
}

function chatView({ agent, threadId, messages }) {
  const said = messages.map(({ id, role, body, createdAt }) => ({ id, isOwn: role === "USER", body, at: createdAt })).reverse();
  return {
    heading: `Chat with @${agent.profileKey}`,
    parts: { back: true, said: { said, name: `@${agent.profileKey}` }, writing: threadId ? { threadId } : null, field: { agentId: agent.id, threadId } },
  };
}

function showSaid({ said, name }) {
  if (!said.length) return nothing(`Nothing was said yet. ${name} answers when it next looks into its inbox, or at once if it is woken.`);
  const message = (/** @type {any} */ one) =>
    h("li", { key: one.id, class: one.isOwn ? "message own" : "message" }, h("p", { class: "about" }, h("strong", null, one.isOwn ? "You" : name), when(one.at)), markdown(one.body));
  return h("ol", { class: "chat plain" }, said.map(message));
}

/** What is being written: read piece by piece, and replaced by the message once that is there. */
function showWriting({ threadId }, context) {
  const [drafts, setDrafts] = useState(/** @type {Record<string, any>} */ ({}));
  const known = useRef(drafts);
  useEffect(
    () =>
      following(`chat-thread:${threadId}`, (events) => {
        const next = drafted(known.current, events);
        known.current = next.drafts;
        setDrafts(next.drafts);
        if (next.isFinalized) context.reload();
      }),
    [threadId],
  );
  const texts = Object.entries(drafts);
  return h(
    "div",
    { "aria-live": "polite" },
    texts.map(([id, draft]) => h("div", { key: id, class: "message writing" }, h("p", { class: "hint" }, "is writing…"), markdown(textOf(draft)))),
  );
}

function showField({ agentId, threadId }, context) {
  const field = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const deed = useDeed(context.app);
  const send = () =>
    deed.act(async () => {
      const body = field.current?.value.trim() ?? "";
      if (!body) throw new Refused(400, { message: "Write something first." });
      const thread = threadId ?? (await enact("threads.create", { agentId }, context.memory)).id;
      await enact("threads.post", { threadId: thread, body }, context.memory);
      if (field.current) field.current.value = "";
      await context.reload();
    });
  return h(
    "div",
    { class: "decision" },
    h("label", { for: "message" }, "Your message"),
    h("textarea", { id: "message", rows: "3", "data-draft": "message", ref: field }),
    trouble(deed.problem),
    h("div", { class: "buttons" }, h("button", { type: "button", class: "primary", disabled: deed.isUnderWay, onclick: send }, "Send")),
  );
}
