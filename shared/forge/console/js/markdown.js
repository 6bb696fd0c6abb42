/**
 * Markdown as marked reads it, drawn as elements out of its tokens and never as markup: HTML in it stays text, pictures
 * are links, and a link shows where it leads.
 */

import { useState } from "../vendor/hooks.js";
import { Lexer } from "../vendor/marked.js";
import { elsewhere, h } from "./dom.js";

const LONG = 4_000;
/** What is longer, or deeper, is no text that somebody wrote for readers, and is not looked into for marks. */
const LONGEST = 60_000;
const LONGEST_PARAGRAPH = 2_000;
const TOO_DEEP = /^[\s>*+-]{100}/m;

/** @param {string | null | undefined} text */
export function markdown(text) {
  return text?.trim() ? h(Prose, { text }) : null;
}

/** A long text begins, and goes on for whoever wants it. @param {{text: string}} given */
function Prose({ text }) {
  const [isWhole, setWhole] = useState(false);
  if (text.length <= LONG || isWhole) return h("div", { class: "prose" }, drawnOf(text));
  const rest = `Show all ${text.length.toLocaleString("en")} characters`;
  return h(
    "div",
    { class: "prose" },
    drawnOf(text.slice(0, LONG / 2)),
    h("p", null, "…"),
    h("button", { type: "button", class: "quiet", onclick: () => setWhole(true) }, rest),
  );
}

/** A whole text. @param {string} text */
export function drawnOf(text) {
  if (text.length > LONGEST || TOO_DEEP.test(text)) return h("p", null, text);
  return blocks(tokensOf(text));
}

/** As `Lexer.lex` does it, but for paragraphs that it would take seconds for. @param {string} text @returns {any[]} */
function tokensOf(text) {
  const lexer = new Lexer({ gfm: true });
  lexer.blockTokens(text.replace(/\r\n?/g, "\n"), lexer.tokens);
  // What is looked into may add to the queue.
  for (const { src, tokens } of lexer.inlineQueue) {
    if (src.length <= LONGEST_PARAGRAPH) lexer.inlineTokens(src, tokens);
    else tokens.push({ type: "text", raw: src, text: src, escaped: false });
  }
  return lexer.tokens;
}

/** @param {any[]} tokens @returns {any[]} */
function blocks(tokens) {
  return tokens.map((token) => (BLOCKS[token.type] ?? unknown)(token));
}

/** @param {any[]} tokens @returns {any[]} */
function inline(tokens) {
  return tokens.map((token) => (INLINE[token.type] ?? unknown)(token));
}

/** Whatever else there is stays as it was typed. @param {any} token */
function unknown(token) {
  return token.raw;
}

/** @type {Record<string, (token: any) => any>} */
const INLINE = {
  text: ({ text, tokens }) => (tokens ? inline(tokens) : text),
  escape: ({ text }) => text,
  codespan: ({ text }) => h("code", null, text),
  strong: ({ tokens }) => h("strong", null, inline(tokens)),
  em: ({ tokens }) => h("em", null, inline(tokens)),
  del: ({ tokens }) => h("del", null, inline(tokens)),
  br: () => h("br", null),
  link: ({ href, text, tokens }) => elsewhere(href, text === href ? undefined : h("span", null, inline(tokens))),
  image: ({ href, text }) => elsewhere(href, `picture: ${text || "without a name"}`),
  checkbox: () => null,
};

/** @type {Record<string, (token: any) => any>} */
const BLOCKS = {
  space: () => null,
  def: () => null,
  hr: () => h("hr", null),
  code: ({ text }) => h("pre", null, h("code", null, text)),
  html: ({ raw }) => h("p", null, raw.trim()),
  heading: ({ tokens }) => h("p", { class: "heading" }, inline(tokens)),
  paragraph: ({ tokens }) => h("p", null, inline(tokens)),
  text: ({ text, tokens }) => h("span", null, tokens ? inline(tokens) : text),
  blockquote: ({ tokens }) => h("blockquote", null, blocks(tokens)),
  checkbox: () => null,
  list: ({ ordered, start, items }) =>
    h(ordered ? "ol" : "ul", ordered && start > 1 ? { start } : null, items.map(item)),
  table: ({ header, rows, align }) =>
    h(
      "div",
      { class: "table" },
      h(
        "table",
        null,
        h("thead", null, h("tr", null, header.map(cell("th", align)))),
        h("tbody", null, rows.map((/** @type {any[]} */ row) => h("tr", null, row.map(cell("td", align))))),
      ),
    ),
};

/** @param {any} token */
function item({ task, checked, tokens }) {
  const box = task ? h("span", { class: "box", role: "img", "aria-label": checked ? "done" : "open" }) : null;
  return h("li", task ? { class: checked ? "task checked" : "task" } : null, box, blocks(tokens));
}

/** @param {string} tag @param {(string | null)[]} align */
function cell(tag, align) {
  return (/** @type {any} */ { tokens }, /** @type {number} */ place) =>
    h(tag, align[place] ? { class: `align-${align[place]}` } : null, inline(tokens));
}
