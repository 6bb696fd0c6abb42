/**
 * Who is signed in. With single sign-on it is a session that no script reads, and the token that goes with it; else a
 * pasted key, in this tab, or on this device where its owner asked for it. Never in an address.
 */

const NAME = "forge.console.key";
const SESSION = "session ";
const TOKEN = /(?:^|; )((?:__Host-)?forge_csrf)=([0-9a-f]+)/;

/**
 * The key, or what stands for the session; nothing where nobody is signed in.
 * @returns {string | null}
 */
export function storedKey() {
  const token = TOKEN.exec(document.cookie)?.[2];
  return token ? SESSION + token : (sessionStorage.getItem(NAME) ?? localStorage.getItem(NAME));
}

/** @param {string | null} key */
export const isSession = (key) => Boolean(key?.startsWith(SESSION));

/**
 * How a call says who sends it.
 * @param {string | null} key
 * @returns {{headers: Record<string, string>, credentials: RequestCredentials}}
 */
export function proofOf(key) {
  if (key && isSession(key)) {
    return { headers: { "x-forge-csrf": key.slice(SESSION.length) }, credentials: "same-origin" };
  }
  return { headers: { authorization: `Bearer ${key ?? ""}` }, credentials: "omit" };
}

/** @param {string} key @param {{onThisDevice: boolean}} how */
export function keepKey(key, { onThisDevice }) {
  forgetKey();
  (onThisDevice ? localStorage : sessionStorage).setItem(NAME, key);
}

/** Without its token a session is of no use to this page; the server ends it. */
export function forgetKey() {
  sessionStorage.removeItem(NAME);
  localStorage.removeItem(NAME);
  const name = TOKEN.exec(document.cookie)?.[1];
  if (name) document.cookie = `${name}=; Path=/; Max-Age=0; SameSite=Strict${name === "forge_csrf" ? "" : "; Secure"}`;
}
