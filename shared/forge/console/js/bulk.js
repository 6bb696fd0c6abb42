/** Several things decided at once: what each yes does is shown first, and what failed is told by its title. */

import { useEffect, useRef, useState } from "../vendor/hooks.js";
import { openAbove } from "./above.js";
import { Refused, call } from "./api.js";
import { useDeed } from "./deciding.js";
import { h, nothing, trouble } from "./dom.js";
import { counted } from "./words.js";
import { write } from "./writing.js";

/** @typedef {{id: string, title: string, card: string, by: string, issueId?: string}} Chosen */

const HOURS_MS = 3_600_000;
export const SNOOZES = [
  { text: "An hour", ms: HOURS_MS },
  { text: "A day", ms: 24 * HOURS_MS },
  { text: "A week", ms: 168 * HOURS_MS },
];

/** @param {Chosen[]} rows @param {any} context @param {(told: string) => Promise<void>} settled */
export function openBulk(rows, context, settled) {
  openAbove({ label: "Decide together", tone: "form" }, ({ close }) => h(Bulk, { rows, context, settled, close }));
}

/** @param {{rows: Chosen[], context: any, settled: (told: string) => Promise<void>, close: () => void}} given */
function Bulk({ rows, context, settled, close }) {
  const words = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const deed = useDeed({ signedOut: (/** @type {string} */ why) => (close(), context.app.signedOut(why)) });
  const cards = useCards(rows, deed);
  const all = (/** @type {boolean} */ isYes) =>
    deed.act(async () => {
      const said = words.current?.value.trim() ?? "";
      if (!isYes && !said) throw new Refused(400, { message: "Say why in a few words: whoever asked gets them." });
      const failed = await decideEach(cards, isYes, said, context);
      if (failed.length < cards.length) await settled(toldOf(cards.length - failed.length, isYes));
      if (failed.length) throw new Refused(409, { message: failed.join(" ") });
      close();
    });
  return [
    h("h2", null, counted(rows.length, "decision")),
    cards.length ? h("ul", { class: "plain together" }, cards.map(cardOf)) : nothing("Loading…"),
    h("label", { for: "together" }, "Your words to each of them"),
    h("textarea", { id: "together", rows: 2, ref: words, "data-first": true }),
    trouble(deed.problem),
    h(
      "div",
      { class: "buttons" },
      h("button", { type: "button", class: "primary", disabled: deed.isUnderWay || !cards.length, onclick: () => all(true) }, `Accept all ${rows.length}`),
      h("button", { type: "button", class: "danger", disabled: deed.isUnderWay || !cards.length, onclick: () => all(false) }, `Decline all ${rows.length}`),
      h("button", { type: "button", onclick: close }, "Cancel"),
    ),
  ];
}

function cardOf(card) {
  return h("li", { key: card.id }, h("strong", null, card.title), h("p", { class: "hint" }, card.effect));
}

/** What each yes does, as it is now: a yes is one to what was shown. @param {Chosen[]} rows @param {any} deed */
function useCards(rows, deed) {
  const [cards, setCards] = useState(/** @type {any[]} */ ([]));
  useEffect(() => {
    deed.act(async () => setCards(await Promise.all(rows.map(readCard))));
  }, []);
  return cards;
}

/** @param {Chosen} row */
async function readCard(row) {
  if (row.card === "gate") return readGate(row);
  const card = (await call("actionRequests.list", { id: row.id, include: ["card"] })).data[0];
  return { ...row, effect: card?.effect ?? "It was settled meanwhile.", shownHash: card?.shownHash };
}

/** A no to a gate may end a plan. @param {Chosen} row */
async function readGate(row) {
  const { gatePage } = await import("./pages/gate.js");
  const { effect } = gatePage.decide(await gatePage.read({ id: row.id }), {}, {}).parts;
  return { ...row, effect: effect ? `Accept: ${effect.yes} Decline: ${effect.no}` : "It was settled meanwhile." };
}

/** One after the other, so that one that fails stops no other. @returns {Promise<string[]>} what failed, and why */
async function decideEach(cards, isYes, said, context) {
  const failed = [];
  for (const card of cards) {
    try {
      await decide(card, isYes, said, context);
    } catch (refusal) {
      if (!(refusal instanceof Refused) || refusal.status === 401) throw refusal;
      failed.push(`${card.title}: ${refusal.message}`);
    }
  }
  return failed;
}

function decide({ id, card, shownHash }, isYes, said, context) {
  const words = said || undefined;
  if (card === "gate") return write("reviewGates.resolve", { id, decision: isYes ? "APPROVED" : "REJECTED", resolution: words }, context);
  if (isYes) return write("actionRequests.accept", { id, shownHash, resolution: words }, context);
  return write("actionRequests.decline", { id, reason: words }, context);
}

function toldOf(number, isYes) {
  return `${isYes ? "Accepted" : "Declined"}: ${counted(number, "decision")}.`;
}

/** @param {Chosen[]} rows @param {number} ms @param {number} now @param {any} context @returns {Promise<string[]>} what failed */
export async function snoozeEach(rows, ms, now, context) {
  const until = new Date(now + ms).toISOString();
  const failed = [];
  for (const { id, title } of rows) {
    try {
      await write("actionRequests.transition", { id, status: "SNOOZED", until }, context);
    } catch (refusal) {
      if (!(refusal instanceof Refused) || refusal.status === 401) throw refusal;
      failed.push(`${title}: ${refusal.message}`);
    }
  }
  return failed;
}
