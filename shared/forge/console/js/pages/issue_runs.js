/** The runs of an issue over time, each with its log, which is followed while it grows. */

import { useEffect, useRef, useState } from "../../vendor/hooks.js";
import { mayCall } from "../allowed.js";
import { Refused, call } from "../api.js";
import { serverNow } from "../clock.js";
import { useDeed } from "../deciding.js";
import { h, mark, section, trouble, when } from "../dom.js";
import { lasted, timelineOf } from "../runs_view.js";
import { counted, plainly, toneOf, usd } from "../words.js";
import { write } from "../writing.js";

const FOLLOWED_SECONDS = 15;
const AGAIN_SECONDS = 3;
/** What is refused with less stays refused. */
const TOO_MANY = 429;
/** So much of a log is shown; what came before is left out. */
const SHOWN = 60_000;
/** Some hours. */
const MOST_READS = 800;

export function showRuns({ rows, isCut }, context) {
  const { bars } = timelineOf(rows, serverNow());
  const older = isCut ? h("p", { class: "hint" }, "There were more before these.") : null;
  return section("Runs", h("ul", { class: "plain runs" }, rows.map((run) => h(Run, { key: run.id, run, bar: bars[run.id], context }))), older);
}

function Run({ run, bar, context }) {
  const [isOpen, setOpen] = useState(false);
  const percent = (share) => `${(share * 100).toFixed(1)}%`;
  const ended = run.finishedAt ? Date.parse(run.finishedAt) : serverNow();
  const about = [
    plainly(run.mode),
    lasted(ended - Date.parse(run.startedAt)),
    run.cost === null || run.cost === undefined ? null : usd(run.cost),
    run.tokens ? counted(run.tokens, "token").replace(String(run.tokens), run.tokens.toLocaleString("en")) : null,
  ];
  return h(
    "li",
    null,
    h("div", { class: "about" }, h("strong", null, run.who), mark(plainly(run.status), toneOf(run.status)), when(run.startedAt)),
    h(
      "div",
      { class: "runbar", "aria-hidden": "true" },
      h("span", { class: `bar-${toneOf(run.status)}`, style: { left: percent(bar.left), width: percent(bar.width) } }),
    ),
    h("p", { class: "hint" }, about.filter(Boolean).join(" · "), run.step ? ` · ${run.step}` : null),
    h(
      "details",
      { ontoggle: (event) => setOpen(event.currentTarget.open) },
      h("summary", null, "Log"),
      isOpen ? h(Log, { runId: run.id }) : null,
    ),
    run.status === "ACTIVE" ? h(KickButton, { run, context }) : null,
  );
}

function KickButton({ run, context }) {
  const deed = useDeed(context.app);
  const [{ may, told }, set] = useState({ may: false, told: "" });
  useEffect(() => void mayCall("runs.kick").then((allowed) => set({ may: allowed, told: "" })), []);
  const kick = () =>
    deed.act(async () => {
      const { kicked } = await write("runs.kick", { runId: run.id }, context);
      set({ may, told: kicked ? "Told again." : "It was heard of just now: nothing to do." });
    });
  if (!may) return null;
  const button = h("button", { type: "button", class: "quiet small", disabled: deed.isUnderWay, onclick: kick }, "Kick");
  return h("p", { class: "hint" }, button, told, trouble(deed.problem));
}

/** Reads what there is, and waits for more until the run has ended or nobody looks any more. */
function Log({ runId }) {
  const [{ text, state }, set] = useState({ text: "", state: "Reading…" });
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const reading = { isOver: false };
    follow(runId, reading, set);
    return () => void (reading.isOver = true);
  }, [runId]);
  useEffect(() => {
    if (place.current) place.current.scrollTop = place.current.scrollHeight;
  }, [text]);
  return [
    text ? h("pre", { class: "log", tabindex: "0", "aria-label": "Log of the run", ref: place }, text) : null,
    h("p", { class: "hint", role: "status" }, state),
  ];
}

/** Until the run is over; an answer that is lost meanwhile is asked for again. */
async function follow(runId, reading, set) {
  let after = "0";
  let text = "";
  for (let read = 0; read < MOST_READS; read += 1) {
    if (read) await beingLookedAt();
    if (reading.isOver) return;
    try {
      const answer = await call("runs.log", { runId, after, wait: read ? FOLLOWED_SECONDS : 0 });
      after = answer.next;
      text = `${text}${answer.chunks.map((chunk) => chunk.text).join("")}`.slice(-SHOWN);
      const state = answer.ended ? (text ? "The run is over." : "Nothing was logged.") : "It goes on; this follows it.";
      set({ text, state });
      if (answer.ended) return;
    } catch (refusal) {
      if (!(refusal instanceof Refused)) throw refusal;
      set({ text, state: refusal.message });
      if (refusal.status && refusal.status < TOO_MANY) return;
      await new Promise((tell) => setTimeout(tell, Math.max(refusal.retryAfter, AGAIN_SECONDS) * 1000));
    }
  }
  if (!reading.isOver) set({ text, state: "It is no longer followed: close it and open it again." });
}

/** At once, or when somebody comes back to this tab. */
function beingLookedAt() {
  if (!document.hidden) return Promise.resolve();
  return new Promise((tell) => document.addEventListener("visibilitychange", tell, { once: true }));
}
