/** The one place that asks the server for anything. */

import { CALLS } from "./calls.js";
import { heardDate } from "./clock.js";
import { isSession, proofOf, storedKey } from "./session.js";

const SECONDS = 30;
const SESSION = "/oauth/session";

/** A refusal, in the server's own words. */
export class Refused extends Error {
  /**
   * @param {number} status of the answer; 0 where there was none
   * @param {{error?: string, message?: string, hint?: string, issues?: Record<string, string>}} body
   * @param {number} retryAfter seconds
   */
  constructor(status, body, retryAfter = 0) {
    super(body.message ?? `The server answered with ${status}.`);
    this.status = status;
    this.code = body.error ?? "unknown";
    this.hint = body.hint ?? "";
    this.issues = body.issues ?? {};
    this.retryAfter = retryAfter;
  }
}

/**
 * Call a tool and return its output.
 * @param {keyof typeof CALLS} tool
 * @param {Record<string, unknown>} given arguments; those that are undefined are left out
 * @param {{key?: string | null, once?: string, isOrdered?: boolean}} how `once` makes a repetition of the same call take
 * effect once; what is ordered is answered before it is done
 */
export async function call(tool, given = {}, { key = storedKey(), once, isOrdered } = {}) {
  requireDeclared(tool, given);
  const headers = { ...(once && { "idempotency-key": once }), ...(isOrdered && { prefer: "respond-async" }) };
  const response = await send(addressOf(tool), key, { headers, body: JSON.stringify(given) });
  const body = await bodyOf(response);
  if (!response.ok) throw new Refused(response.status, body, Number(response.headers.get("retry-after")) || 0);
  return body;
}

/**
 * Rows of a list, page by page, until there are enough; `isCut` where there are more, `total` where the server counts.
 * @param {string} tool @param {Record<string, unknown>} given
 * @param {{most: number, enough?: number}} how a page may be short because of a filter, so calls are what is limited
 */
export async function pages(tool, given, { most, enough = Infinity }) {
  /** @type {any[]} */
  const rows = [];
  let first, cursor;
  for (let page = 0; page < most && rows.length < enough; page += 1) {
    const answer = await call(tool, { ...given, cursor });
    first ??= answer;
    rows.push(...answer.data);
    cursor = answer.nextCursor;
    if (!cursor) break;
  }
  return { rows, isCut: Boolean(cursor), total: first?.total ?? null, coverage: first?.coverage ?? null };
}

/** What a key without the scope is not shown: nothing, rather than no page at all. */
export async function orNothing(asked, nothing) {
  try {
    return await asked;
  } catch (refusal) {
    if (refusal instanceof Refused && (refusal.status === 403 || refusal.status === 404)) return nothing;
    throw refusal;
  }
}

/** All rows of a list, as far as so many pages have them; none where the key may not see it. */
export async function rowsOf(tool, given = {}, most = 3) {
  return (await orNothing(pages(tool, { limit: 100, ...given }, { most }), { rows: [] })).rows;
}

/** A name for a call that is not yet made, by which the server knows its repetition. */
export function newOnce() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * What happened since, as server-sent events: an answer that ends once it has told something, or after a while.
 * @param {Record<string, string>} query
 */
export async function follow(query) {
  const response = await send(`/api/events/stream?${new URLSearchParams(query)}`, storedKey(), { method: "GET" });
  if (!response.ok) throw new Refused(response.status, await bodyOf(response));
  return response.text();
}

/** Tools of people who administer have a door of their own: `admin/keys.list`. @param {string} tool */
function addressOf(tool) {
  return tool.includes("/") ? `/api/${tool}` : `/api/mcp/${tool}`;
}

function requireDeclared(tool, given) {
  const known = CALLS[tool];
  const stray = known ? Object.keys(given).filter((name) => !known.includes(name)) : [tool];
  if (stray.length) throw new Error(`calls.js does not declare ${stray.join(", ")} of ${tool}.`);
}

/**
 * How people sign in here besides with keys; nothing where they don't, or where that can't be told.
 * @returns {Promise<{name: string, start: string} | null>}
 */
export async function singleSignOn() {
  try {
    const response = await send(SESSION, null, { method: "GET" });
    return response.ok ? ((await bodyOf(response)).singleSignOn ?? null) : null;
  } catch (refusal) {
    if (!(refusal instanceof Refused)) throw refusal;
    return null;
  }
}

/**
 * Has a key made into a session, which the browser keeps.
 * @param {string} key
 */
export async function exchange(key) {
  // What a call without credentials is answered with, a browser does not keep.
  const response = await send(SESSION, key, { credentials: "same-origin" });
  if (!response.ok) throw new Refused(response.status, await bodyOf(response));
}

/**
 * Ends the session of this browser, if there is one; a key is only forgotten. What went wrong, if anything did.
 * @returns {Promise<string>}
 */
export async function leave() {
  const key = storedKey();
  if (!isSession(key)) return "";
  try {
    const response = await send(SESSION, key, { method: "DELETE" });
    if (response.ok) return "";
  } catch (refusal) {
    if (!(refusal instanceof Refused)) throw refusal;
  }
  return "You are signed out here. The server could not be told: the session ends by itself within 12 hours.";
}

/**
 * @param {string} address @param {string | null} key
 * @param {{method?: string, headers?: Record<string, string>, body?: string, credentials?: RequestCredentials}} how
 */
async function send(address, key, { method = "POST", headers = {}, body, credentials } = {}) {
  const proof = proofOf(key);
  try {
    const response = await fetch(address, {
      method,
      headers: { "content-type": "application/json", ...proof.headers, ...headers },
      body,
      cache: "no-store",
      credentials: credentials ?? proof.credentials,
      redirect: "error",
      signal: AbortSignal.timeout(SECONDS * 1000),
    });
    heardDate(response.headers.get("date"));
    return response;
  } catch {
    throw new Refused(0, { error: "unreachable", message: "The server can't be reached just now." });
  }
}

async function bodyOf(response) {
  try {
    return await response.json();
  } catch {
    throw new Refused(response.status, { message: `The server's answer (${response.status}) can't be read.` });
  }
}
