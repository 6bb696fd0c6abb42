/** The one place that asks the server for anything. */

import { CALLS } from "./calls.js";
import { heardDate } from "./clock.js";
import { storedKey } from "./session.js";

const SECONDS = 30;

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
 * @param {{key?: string | null, once?: string}} how `once` makes a repetition of the same call take effect once
 */
export async function call(tool, given = {}, { key = storedKey(), once } = {}) {
  requireDeclared(tool, given);
  const headers = { "content-type": "application/json", authorization: `Bearer ${key ?? ""}` };
  if (once) headers["idempotency-key"] = once;
  const response = await send(addressOf(tool), headers, JSON.stringify(given));
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

/** A name for a call that is not yet made, by which the server knows its repetition. */
export function newOnce() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
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

async function send(address, headers, body) {
  try {
    const response = await fetch(address, {
      method: "POST",
      headers,
      body,
      cache: "no-store",
      credentials: "omit",
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
