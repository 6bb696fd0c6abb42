/** The key of whoever is signed in: in this tab, or on this device where they asked for it. Never in an address. */

const NAME = "forge.console.key";

/** @returns {string | null} */
export function storedKey() {
  return sessionStorage.getItem(NAME) ?? localStorage.getItem(NAME);
}

export function keepKey(key, { onThisDevice }) {
  forgetKey();
  (onThisDevice ? localStorage : sessionStorage).setItem(NAME, key);
}

export function forgetKey() {
  sessionStorage.removeItem(NAME);
  localStorage.removeItem(NAME);
}
