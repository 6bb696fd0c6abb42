/** Signing in: with an account elsewhere, where there is single sign-on, or by a person's API key, checked first. */

import { useEffect, useRef, useState } from "../../vendor/hooks.js";
import { render } from "../../vendor/preact.js";
import { Refused, call, exchange, singleSignOn } from "../api.js";
import { h, trouble } from "../dom.js";
import { keepKey } from "../session.js";

const HINT = [
  "A person's key: agents decide nothing. An admin makes one with ",
  h("code", null, "forge admin keys.create"),
  ". Whoever sits at this device can use it until you sign out.",
];

/**
 * @param {Element} root
 * @param {string} why what ended the last session, if anything did
 * @param {() => void} signedIn
 */
export function showSignIn(root, why, signedIn) {
  document.title = "Sign in · Forge";
  // Whoever is sent back twice begins anew.
  render(null, root);
  render(h("main", { id: "main" }, h(SignIn, { why, signedIn })), root);
}

/** @param {{why: string, signedIn: () => void}} given */
function SignIn({ why, signedIn }) {
  const key = useRef(/** @type {HTMLInputElement | null} */ (null));
  const keeps = useRef(/** @type {HTMLInputElement | null} */ (null));
  const [{ problem, isUnderWay }, set] = useState({ problem: why, isUnderWay: false });
  const [sso, found] = useState(/** @type {{name: string, start: string} | null} */ (null));
  useEffect(() => {
    key.current?.focus();
    singleSignOn().then(found);
  }, []);
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const given = key.current?.value.trim() ?? "";
    set({ problem: "", isUnderWay: true });
    const wrong = (await problemWith(given)) || (sso ? await problemExchanging(given) : "");
    if (wrong) {
      set({ problem: wrong, isUnderWay: false });
      return void key.current?.focus();
    }
    if (!sso) keepKey(given, { onThisDevice: Boolean(keeps.current?.checked) });
    signedIn();
  };
  return h(
    "form",
    { class: "signin", novalidate: true, onsubmit: submit },
    h("h1", null, "Forge"),
    h("p", null, "See what your agents ask, and decide."),
    trouble(problem),
    sso && h("button", { type: "button", class: "primary", onclick: () => depart(sso.start) }, `Sign in with ${sso.name}`),
    h("label", { for: "key" }, sso ? "Or your API key" : "Your API key"),
    h("input", { ...KEY_FIELD, ref: key }),
    !sso && h("label", { class: "check" }, h("input", { id: "keep", type: "checkbox", ref: keeps }), "Keep me signed in on this device"),
    h("button", { type: "submit", class: sso ? "" : "primary", disabled: isUnderWay }, "Sign in"),
    h("p", { class: "hint" }, HINT),
  );
}

const KEY_FIELD = {
  id: "key",
  type: "password",
  autocomplete: "current-password",
  spellcheck: false,
  autocapitalize: "off",
  placeholder: "forge_sk_…",
  required: true,
};

/** What is wrong with a key, in a sentence; nothing where a person can work with it. */
async function problemWith(key) {
  if (!key) return "Paste your API key first.";
  if (/[^\x21-\x7e]/.test(key)) return "This is no API key: it has spaces or letters that no key has.";
  try {
    await call("actionRequests.list", { status: "OPEN", assignedUserId: "me", limit: 1, fields: ["id"] }, { key });
    return "";
  } catch (refusal) {
    if (!(refusal instanceof Refused)) throw refusal;
    return inWords(refusal);
  }
}

/** To the provider, and from there back to this very page. @param {string} start */
const depart = (start) => location.assign(`${start}?next=${encodeURIComponent(location.pathname + location.search)}`);

async function problemExchanging(key) {
  try {
    await exchange(key);
    return "";
  } catch (refusal) {
    if (!(refusal instanceof Refused)) throw refusal;
    return inWords(refusal);
  }
}

function inWords(refusal) {
  if (refusal.status === 400 && refusal.issues.assignedUserId) {
    return "This is an agent's key. Agents ask and people decide: use a key of your own.";
  }
  if (refusal.code === "scope_required") return `${refusal.message} The console needs it to show anything.`;
  if (refusal.status === 429) return `Too many calls with this key. Try again in ${refusal.retryAfter || 60} seconds.`;
  return refusal.message;
}
