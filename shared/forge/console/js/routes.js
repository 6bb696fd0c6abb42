/** Which page a path is, and the path of each page. What `forge.work.record.links` gives out is read here. */

const ROOT = "/console";

/** Patterns in the order in which they are tried; what stands in brackets is what the page is given. */
const ROUTES = [
  ["inbox", /^\/?$/, []],
  ["request", /^\/requests\/([^/]+)$/, ["id"]],
  ["gate", /^\/gates\/([^/]+)$/, ["id"]],
  ["run", /^\/runs\/([^/]+)$/, ["id"]],
  ["issue", /^\/issues\/([^/]+)$/, ["id"]],
  ["pull", /^\/repositories\/([^/]+)\/([^/]+)\/pulls\/(\d{1,9})$/, ["owner", "name", "number"]],
  ["board", /^\/board$/, []],
  ["goals", /^\/goals$/, []],
  ["goal", /^\/goals\/([^/]+)$/, ["id"]],
  ["agents", /^\/agents$/, []],
  ["pipeline", /^\/pipelines\/([^/]+)$/, ["name"]],
];

/** @param {{pathname: string, search: string}} where @returns {{page: string, params: Record<string, string>}} */
export function routeOf({ pathname, search }) {
  const rest = pathname.slice(ROOT.length).replace(/\/+$/, "");
  for (const [page, pattern, names] of ROUTES) {
    const found = pattern.exec(rest);
    if (!found) continue;
    const named = names.map((name, place) => [name, decoded(found[place + 1])]);
    return { page, params: { ...Object.fromEntries(new URLSearchParams(search)), ...Object.fromEntries(named) } };
  }
  return { page: "missing", params: {} };
}

export function isOurs(pathname) {
  return pathname === ROOT || pathname.startsWith(`${ROOT}/`);
}

export const paths = {
  inbox: ROOT,
  board: `${ROOT}/board`,
  goals: `${ROOT}/goals`,
  agents: `${ROOT}/agents`,
  request: (id) => `${ROOT}/requests/${encodeURIComponent(id)}`,
  gate: (id) => `${ROOT}/gates/${encodeURIComponent(id)}`,
  run: (id) => `${ROOT}/runs/${encodeURIComponent(id)}`,
  issue: (identifier) => `${ROOT}/issues/${encodeURIComponent(identifier)}`,
  goal: (id) => `${ROOT}/goals/${encodeURIComponent(id)}`,
  pipeline: (name, file) => `${ROOT}/pipelines/${encodeURIComponent(name)}${file ? `?file=${encodeURIComponent(file)}` : ""}`,
};

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
