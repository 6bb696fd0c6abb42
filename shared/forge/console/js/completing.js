/** A field for words that completes @names and #issues while one types. */

import { useEffect, useRef, useState } from "../vendor/hooks.js";
import { Refused, call, orNothing } from "./api.js";
import { theWorkspace } from "./allowed.js";
import { h } from "./dom.js";
import { allAgents } from "./names.js";

const PAUSE_MS = 150;
const MOST = 6;
/** What is being named, at the end of what stands before the caret. */
const NAMING = /(?:^|[\s(])([@#])([\w-]{0,40})$/;

/** @typedef {{insert: string, text: string}} Offer */

/**
 * @param {Record<string, any>} given `field` is a ref to the textarea, `people` are handles that are known besides the
 * agents' names; everything else goes to the textarea
 */
export function WordsField({ field, people = [], oninput, ...properties }) {
  const { offers, at, point, look, hide } = useOffers(field, people);
  const take = (/** @type {Offer} */ offer) => {
    complete(field.current, offer.insert);
    hide();
    oninput?.();
  };
  const onkeydown = (/** @type {KeyboardEvent} */ event) => {
    if (!offers.length || event.isComposing || event.ctrlKey || event.metaKey) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) point((at + by + offers.length) % offers.length);
    else if (event.key === "Enter" || event.key === "Tab") take(offers[at]);
    else if (event.key === "Escape") hide();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const list = `${properties.id}-offers`;
  const named = offers.length ? { "aria-controls": list, "aria-activedescendant": `${list}-${at}` } : {};
  const heard = { oninput: (/** @type {Event} */ event) => (oninput?.(event), look()), onkeydown, onblur: hide };
  return h(
    "div",
    { class: "words" },
    h("textarea", { ...properties, "aria-autocomplete": "list", ...named, ...heard, ref: field }),
    offers.length ? h(Offers, { list, offers, at, take }) : null,
  );
}

/** What is offered for what is being named; an answer to fewer letters may come later than one to more. */
function useOffers(/** @type {any} */ field, /** @type {string[]} */ people) {
  const [{ offers, at }, set] = useState({ offers: /** @type {Offer[]} */ ([]), at: 0 });
  const asked = useRef(0);
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const hide = () => {
    asked.current += 1;
    if (offers.length) set({ offers: [], at: 0 });
  };
  const look = () => {
    clearTimeout(timer.current);
    const naming = namingIn(field.current);
    if (!naming) return hide();
    const mine = (asked.current += 1);
    timer.current = window.setTimeout(async () => {
      const found = await offersFor(naming, people);
      if (mine === asked.current) set({ offers: found, at: 0 });
    }, PAUSE_MS);
  };
  return { offers, at, point: (/** @type {number} */ place) => set({ offers, at: place }), look, hide };
}

/** @param {{list: string, offers: Offer[], at: number, take: (offer: Offer) => void}} given */
function Offers({ list, offers, at, take }) {
  // Pressed and not clicked: a click comes after the field has lost its focus.
  const press = (/** @type {Offer} */ offer) => (/** @type {Event} */ event) => {
    event.preventDefault();
    take(offer);
  };
  return h(
    "ul",
    { id: list, class: "offers", role: "listbox", "aria-label": "Names" },
    offers.map((offer, place) =>
      h(
        "li",
        { key: offer.insert, id: `${list}-${place}`, role: "option", "aria-selected": String(place === at), onpointerdown: press(offer) },
        h("strong", null, offer.insert),
        ` ${offer.text}`,
      ),
    ),
  );
}

/** @param {HTMLTextAreaElement | null} field @returns {{sign: string, text: string} | null} */
export function namingIn(field) {
  if (!field || field.selectionStart !== field.selectionEnd) return null;
  const found = NAMING.exec(field.value.slice(0, field.selectionStart));
  return found ? { sign: found[1], text: found[2] } : null;
}

/** @param {HTMLTextAreaElement | null} field @param {string} insert */
export function complete(field, insert) {
  const naming = namingIn(field);
  if (!field || !naming) return;
  const end = field.selectionStart;
  field.setRangeText(`${insert} `, end - naming.text.length - 1, end, "end");
  field.focus();
}

/** @param {{sign: string, text: string}} naming @param {string[]} people @returns {Promise<Offer[]>} */
async function offersFor({ sign, text }, people) {
  try {
    return sign === "@" ? await namesLike(text, people) : await issuesLike(text);
  } catch (refusal) {
    // Nothing is offered; what is typed is sent all the same.
    if (!(refusal instanceof Refused)) throw refusal;
    return [];
  }
}

/** @param {string} text @param {string[]} people */
async function namesLike(text, people) {
  const agents = (await allAgents()).filter((one) => !one.archivedAt);
  const all = [
    ...agents.map((one) => ({ insert: `@${one.profileKey}`, text: one.name ?? "" })),
    ...people.map((handle) => ({ insert: `@${handle}`, text: "person" })),
  ];
  return all.filter((one) => one.insert.toLowerCase().startsWith(`@${text.toLowerCase()}`)).slice(0, MOST);
}

/** @param {string} text */
async function issuesLike(text) {
  const fields = ["identifier", "title"];
  if (/^\d+$/.test(text)) {
    const found = await orNothing(call("issues.get", { id: `${(await theWorkspace()).key}-${text}` }), null);
    return found ? [{ insert: found.identifier, text: found.title }] : [];
  }
  const { data } = await call("issues.list", { query: text || undefined, limit: MOST, fields, ...(text ? {} : { orderBy: "updatedAt" }) });
  return data.map((/** @type {any} */ one) => ({ insert: one.identifier, text: one.title }));
}
