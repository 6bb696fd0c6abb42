/** What a thread's stream tells: replies as they are written, piece by piece. */

import { Refused, follow } from "./api.js";

/** From when on it is asked less often whether there is something, where answers fail. */
const LATER_MS = 15_000;

/**
 * @typedef {{events: any[], place: string | null, retry: number}} Told
 * @param {string} text server-sent events @returns {Told}
 */
function readEvents(text) {
  /** @type {Told} */
  const told = { events: [], place: null, retry: 1_000 };
  for (const block of text.split(/\n\n+/)) {
    const lines = block.split("\n");
    const data = lines.flatMap((line) => (line.startsWith("data:") ? [line.slice(5).trimStart()] : []));
    for (const line of lines) {
      if (line.startsWith("id:")) told.place = line.slice(3).trim();
      if (line.startsWith("retry:")) told.retry = Number(line.slice(6)) || told.retry;
    }
    if (data.length) told.events.push(JSON.parse(data.join("\n")));
  }
  return told;
}

/**
 * Drafts as they read after some events; pieces come once each, and may come out of order.
 * @param {Record<string, {pieces: Record<number, string>}>} drafts @param {any[]} events
 */
export function drafted(drafts, events) {
  const next = { ...drafts };
  let isFinalized = false;
  for (const { payload: part = {}, ...event } of events) {
    const { phase, draftId, delta, seq } = part.phase ? part : event;
    if (phase === "started") next[draftId] ??= { pieces: {} };
    if (phase === "delta") next[draftId] = { pieces: { ...next[draftId]?.pieces, [seq ?? 0]: delta } };
    if (phase === "finalized") delete next[draftId];
    isFinalized ||= phase === "finalized" || !phase;
  }
  return { drafts: next, isFinalized };
}

/** @param {{pieces: Record<number, string>}} draft */
export function textOf({ pieces }) {
  return Object.keys(pieces)
    .map(Number)
    .sort((one, other) => one - other)
    .map((seq) => pieces[seq])
    .join("");
}

/**
 * Follows until it is told to end; every answer is told, and what fails is asked for again later.
 * @param {string} subject @param {(events: any[]) => void} hear @returns {() => void} to end it
 */
export function following(subject, hear) {
  let isOver = false;
  /** @type {number} */
  let timer = 0;
  /** @param {string | null} place */
  const go = async (place) => {
    let wait = LATER_MS;
    let next = place;
    try {
      const told = readEvents(await follow(place ? { subject, lastEventId: place } : { subject }));
      next = told.place ?? place;
      wait = told.retry;
      if (!isOver && told.events.length) hear(told.events);
    } catch (refusal) {
      if (!(refusal instanceof Refused)) throw refusal;
      if (refusal.status === 403 || refusal.status === 401) return;
    }
    if (!isOver) timer = window.setTimeout(() => go(next), document.hidden ? LATER_MS : wait);
  };
  go(null);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
