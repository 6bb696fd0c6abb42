/**
 * Words in comments: the server's index has none of them, so what the log has of the latest is looked through, which is
 * how each begins.
 */

import { call, orNothing, pages } from "./api.js";
import { keptFor } from "./keeping.js";
import { paths } from "./routes.js";

const KEPT_MS = 30_000;
const PAGES = 2;
const PAGE_OF = 200;
const MOST = 8;
const ASKED = { kinds: ["COMMENT_CREATED", "COMMENT_UPDATED"], limit: PAGE_OF, fields: ["subjectId", "payload", "createdAt", "actor", "actorAgent"] };

/** @typedef {{id: string, issueId: string, text: string, by: string, at: string}} Comment */

/** The newest first, each as it was said last. */
const latestComments = keptFor(KEPT_MS, async () => commentsIn((await pages("events.recent", ASKED, { most: PAGES })).rows));

/** @param {any[]} events newest first @returns {Comment[]} */
export function commentsIn(events) {
  const found = new Map();
  for (const { payload, subjectId, createdAt, actor, actorAgent } of events) {
    const by = actorAgent ? `@${actorAgent.profileKey}` : (actor?.name ?? "somebody");
    if (!found.has(payload.commentId)) found.set(payload.commentId, { id: payload.commentId, issueId: subjectId, text: payload.preview ?? "", by, at: createdAt });
  }
  return [...found.values()];
}

/** Those that have every word, wherever it stands. @param {Comment[]} comments @param {string} words */
export function having(comments, words) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return comments.filter(({ text }) => wanted.every((word) => text.toLowerCase().includes(word))).slice(0, MOST);
}

/**
 * @param {string} words
 * @returns {Promise<{of: number, rows: {id: string, path: string, identifier: string, text: string, by: string, at: string}[]}>} `of` so many
 */
export async function saidInComments(words) {
  const comments = await orNothing(latestComments(), []);
  const found = having(comments, words);
  const ids = [...new Set(found.map(({ issueId }) => issueId))];
  const issues = await Promise.all(ids.map((id) => orNothing(call("issues.get", { id }), null)));
  const names = new Map(issues.flatMap((one, place) => (one ? [[ids[place], one.identifier]] : [])));
  const rows = found.flatMap(({ issueId, ...one }) => (names.has(issueId) ? [{ ...one, identifier: names.get(issueId), path: paths.issue(names.get(issueId)) }] : []));
  return { of: comments.length, rows };
}
