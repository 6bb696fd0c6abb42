/** How a page is drawn: its heading, its parts, what is new, and what went wrong. */

import { Component } from "../vendor/preact.js";
import { h } from "./dom.js";

/** @param {{opened: any}} given */
export function PageView({ opened }) {
  const { heading, isShown, trouble, news } = opened;
  return [
    h("h1", { tabindex: "-1" }, heading),
    h("div", { class: "status", role: "status" }, isShown && trouble ? h(NotFresh, { trouble }) : null),
    isShown ? laidOut(opened) : h("div", { class: "parts" }, h(NotYet, { opened })),
    h("div", { class: "news", role: "status" }, news && h("button", { type: "button", onclick: news.show }, news.text)),
  ];
}

/** In one column, or with some parts beside the others. @param {any} opened */
function laidOut(opened) {
  const { page, components } = opened;
  const isAside = (/** @type {any} */ { name }) => Boolean(page.aside?.includes(name));
  const parts = components.map(partOf(opened));
  if (!page.aside) return h("div", { class: "parts" }, parts);
  const beside = components.map(isAside);
  const those = (/** @type {boolean} */ wanted) => parts.filter((/** @type {any} */ _, /** @type {number} */ place) => beside[place] === wanted);
  return h("div", { class: "parts sided" }, h("div", { key: "main" }, those(false)), h("div", { key: "aside", class: "aside" }, those(true)));
}

const partOf = (/** @type {any} */ opened) => (/** @type {any} */ { name, component }) => {
  const { text, data } = opened.parts.get(name);
  return h(Part, { key: name, name, text, data, component, context: opened.context });
};

/** One page more of a list, of which `memory.pages` are read. @param {any} _ @param {import("./opening.js").Context} context */
export function showMore(_, { memory, reload }) {
  const read = () => {
    memory.pages += 1;
    reload();
  };
  return h("button", { type: "button", onclick: read }, "Show more");
}

/** What is shown until there is something, and instead of it. @param {{opened: any}} given */
function NotYet({ opened: { trouble, live } }) {
  if (!trouble) return h("p", { class: "nothing" }, "Loading…");
  const again = h("button", { type: "button", onclick: () => live.now() }, "Try again");
  return h("div", { class: "trouble" }, h("p", null, wordsOf(trouble)), again);
}

/** @param {{trouble: any}} given */
function NotFresh({ trouble }) {
  return h("p", { class: "trouble" }, "Not up to date. ", wordsOf(trouble));
}

function wordsOf(/** @type {any} */ refusal) {
  return [h("strong", null, refusal.message), refusal.hint && refusal.status !== 404 ? ` ${refusal.hint}` : ""];
}

/**
 * One part: drawn anew only when its data changed. A field that is gone leaves what was typed into it, and a part that
 * can't be drawn leaves the others.
 */
class Part extends Component {
  constructor(/** @type {any} */ given) {
    super(given);
    /** @type {Element | null} */
    this.place = null;
    /** @type {{lost: string[], isBroken: boolean}} */
    this.state = { lost: [], isBroken: false };
  }

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  componentDidCatch(/** @type {any} */ error) {
    console.error(error);
  }

  shouldComponentUpdate(/** @type {any} */ next, /** @type {any} */ state) {
    return next.text !== this.props.text || state !== this.state;
  }

  getSnapshotBeforeUpdate() {
    return draftsIn(this.place);
  }

  componentDidUpdate(/** @type {any} */ before, /** @type {any} */ _, /** @type {any} */ drafts) {
    if (before.text === this.props.text) return;
    const left = new Set(draftsIn(this.place).map(({ name }) => name));
    const lost = drafts.filter((/** @type {any} */ draft) => draft.value && !left.has(draft.name));
    if (lost.length || this.state.lost.length || this.state.isBroken)
      this.setState({ lost: lost.map((/** @type {any} */ draft) => draft.value), isBroken: false });
  }

  render(/** @type {any} */ { name, data, component, context }, /** @type {any} */ { lost, isBroken }) {
    const body = isBroken ? h("p", { class: "trouble" }, "This part can't be shown.") : null;
    const drawn = data === null ? null : h(component, { data, context });
    const ref = (/** @type {Element | null} */ place) => void (this.place = place);
    return h("div", { class: "part", "data-part": name, ref }, body ?? drawn, lost.map(keptText));
  }
}

function keptText(/** @type {string} */ value) {
  return h("div", { class: "kept" }, h("p", null, "You had typed:"), h("pre", null, value));
}

/** What somebody has typed. @param {any} element */
function draftsIn(element) {
  return Array.from(element?.querySelectorAll("[data-draft]") ?? [], (field) => ({
    name: field.dataset.draft,
    value: field.value,
  }));
}
