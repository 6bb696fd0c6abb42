/** Signing in: a person's API key, checked before it is kept. */

import { Refused, call } from "../api.js";
import { fill, h } from "../dom.js";
import { keepKey } from "../session.js";

const HINT = [
  "A person's key: agents decide nothing. An admin makes one with ",
  h("code", null, "forge admin keys.create"),
  ". Whoever sits at this device can use it until you sign out.",
];

/** @param {string} why what ended the last session, if anything did */
export function showSignIn(root, why, signedIn) {
  document.title = "Sign in · Forge";
  const problem = h("p", { class: "trouble", role: "alert", hidden: !why }, why);
  const key = keyField();
  const keeps = h("input", { id: "keep", type: "checkbox" });
  const submit = h("button", { type: "submit", class: "primary" }, "Sign in");
  const form = h(
    "form",
    { class: "signin", novalidate: true },
    h("h1", null, "Forge"),
    h("p", null, "See what your agents ask, and decide."),
    problem,
    h("label", { for: "key" }, "Your API key"),
    key,
    h("label", { class: "check" }, keeps, "Keep me signed in on this device"),
    submit,
    h("p", { class: "hint" }, HINT),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    const trouble = await problemWith(key.value.trim());
    submit.disabled = false;
    problem.hidden = !trouble;
    fill(problem, trouble);
    if (trouble) return void key.focus();
    keepKey(key.value.trim(), { onThisDevice: keeps.checked });
    signedIn();
  });
  fill(root, h("main", { id: "main" }, form));
  key.focus();
}

function keyField() {
  return h("input", {
    id: "key",
    type: "password",
    autocomplete: "current-password",
    spellcheck: "false",
    autocapitalize: "off",
    placeholder: "forge_sk_…",
    required: true,
  });
}

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

function inWords(refusal) {
  if (refusal.status === 400 && refusal.issues.assignedUserId) {
    return "This is an agent's key. Agents ask and people decide: use a key of your own.";
  }
  if (refusal.code === "scope_required") return `${refusal.message} The console needs it to show anything.`;
  if (refusal.status === 429) return `Too many calls with this key. Try again in ${refusal.retryAfter || 60} seconds.`;
  return refusal.message;
}
