/** Which page a path is, and the path of each page. What `forge.work.record.links` gives out is read here. */

const ROOT = "/console";

/**
 * A page's name, the pattern of its path beneath the root, what stands in its brackets, and the page.
 * @typedef {[string, RegExp, string[], import("./opening.js").Page]} Route
 */

/**
 * @param {Route[]} routes in the order in which they are tried
 * @param {{pathname: string, search: string}} where
 * @returns {{name: string, page: import("./opening.js").Page | null, params: Record<string, string>}}
 */
export function routeOf(routes, { pathname, search }) {
  const rest = pathname.slice(ROOT.length).replace(/\/+$/, "");
  for (const [name, pattern, names, page] of routes) {
    const found = pattern.exec(rest);
    if (!found) continue;
    const named = names.map((one, place) => [one, decoded(found[place + 1])]);
    return { name, page, params: { ...Object.fromEntries(new URLSearchParams(search)), ...Object.fromEntries(named) } };
  }
  return { name: "missing", page: null, params: {} };
}

/** @param {string} pathname */
export function isOurs(pathname) {
  return pathname === ROOT || pathname.startsWith(`${ROOT}/`);
}

/** @param {string} path @param {Record<string, string | undefined>} [asked] what is empty is left out */
export function at(path, asked = {}) {
  const said = Object.entries(asked).filter(([, value]) => value);
  const search = new URLSearchParams(/** @type {[string, string][]} */ (said));
  return `${ROOT}${path}${search.size ? `?${search}` : ""}`;
}

/** One named place within others: `/issues/DEMO-12`. @param {string} folder */
const within = (folder) => (/** @type {string} */ name) => at(`${folder}/${encodeURIComponent(name)}`);

export const paths = {
  inbox: ROOT,
  request: within("/requests"),
  gate: within("/gates"),
  run: within("/runs"),
  board: at("/board"),
  issue: within("/issues"),
  /** @param {string} repository as `owner/name` @param {number} number @param {string} issue */
  pull: (repository, number, issue) => at(`/repositories/${repository.split("/").map(encodeURIComponent).join("/")}/pulls/${number}`, { issue }),
  cycles: at("/cycles"),
  cycle: within("/cycles"),
  initiatives: at("/initiatives"),
  initiative: within("/initiatives"),
  goals: at("/goals"),
  goal: within("/goals"),
  pipelines: at("/pipelines"),
  pipeline: (/** @type {string} */ name, /** @type {string} */ file = "") =>
    at(`/pipelines/${encodeURIComponent(name)}`, { file }),
  agents: at("/agents"),
  chat: within("/chat"),
  webhooks: at("/webhooks"),
  keys: at("/keys"),
  health: at("/health"),
  day: at("/day"),
  analytics: at("/analytics"),
};

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
