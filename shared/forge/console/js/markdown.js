/**
 * The little of Markdown that helps to read what agents write: code, lists, bold, quotations and links. Everything else
 * stays as it was typed. The result is elements made by `h`, never markup.
 */

import { elsewhere, h } from "./dom.js";

const CODE = /`([^`\n]+)`/;
const BOLD = /\*\*([^*\n]+)\*\*/;
const LINK = /\[([^[\]\n]{1,300})\]\((https?:\/\/[^\s()<>]{1,2000})\)/;
const BARE = /(https?:\/\/[^\s<>"'`)\]]{1,2000})/;
/** None of them looks further than the next mark of its kind, so that no text takes long. */
const INLINE = new RegExp([CODE, BOLD, LINK, BARE].map(({ source }) => source).join("|"), "g");
const FENCE = /^\s{0,3}(```|~~~)/;
const BULLET = /^\s{0,3}[-*+] +(.*)$/;
const NUMBER = /^\s{0,3}\d{1,4}[.)] +(.*)$/;
const QUOTE = /^ {0,3}> ?(.*)$/;
const HEADING = /^#{1,6} +(.*)$/;
const LONG = 4000;
const DEEPEST = 4;

/** @param {string | null | undefined} text @returns {HTMLElement | null} */
export function markdown(text) {
  if (!text || !text.trim()) return null;
  if (text.length <= LONG) return h("div", { class: "prose" }, blocks(text.split(/\r?\n/), 0));
  const beginning = text.slice(0, LONG / 2);
  const whole = h("details", null, h("summary", null, `Show all ${text.length.toLocaleString("en")} characters`));
  whole.addEventListener("toggle", () => whole.append(h("div", { class: "prose" }, blocks(text.split(/\r?\n/), 0))), {
    once: true,
  });
  return h("div", { class: "prose" }, blocks(beginning.split(/\r?\n/), 0), h("p", null, "…"), whole);
}

function blocks(lines, depth) {
  const found = [];
  let at = 0;
  while (at < lines.length) {
    const [node, next] = block(lines, at, depth);
    if (node) found.push(node);
    at = next;
  }
  return found;
}

/** The block that begins at a line, and where the next one does. */
function block(lines, at, depth) {
  const line = lines[at];
  if (!line.trim()) return [null, at + 1];
  if (FENCE.test(line)) return fenced(lines, at);
  if (BULLET.test(line)) return list(lines, at, BULLET, "ul");
  if (NUMBER.test(line)) return list(lines, at, NUMBER, "ol");
  if (QUOTE.test(line) && depth < DEEPEST) return quotation(lines, at, depth);
  const heading = HEADING.exec(line);
  if (heading) return [h("p", { class: "heading" }, inline(heading[1])), at + 1];
  return paragraph(lines, at);
}

function fenced(lines, at) {
  const mark = FENCE.exec(lines[at])[1];
  let end = at + 1;
  while (end < lines.length && !lines[end].trim().startsWith(mark)) end += 1;
  return [h("pre", null, h("code", null, lines.slice(at + 1, end).join("\n"))), end + 1];
}

function list(lines, at, pattern, tag) {
  const items = [];
  let end = at;
  for (; end < lines.length; end += 1) {
    const item = pattern.exec(lines[end]);
    if (item) items.push([item[1]]);
    else if (/^\s{2,}\S/.test(lines[end])) items.at(-1).push(lines[end].trim());
    else break;
  }
  return [
    h(
      tag,
      null,
      items.map((item) => h("li", null, inline(item.join("\n")))),
    ),
    end,
  ];
}

function quotation(lines, at, depth) {
  const quoted = [];
  let end = at;
  for (; end < lines.length && QUOTE.test(lines[end]); end += 1) quoted.push(QUOTE.exec(lines[end])[1]);
  return [h("blockquote", null, blocks(quoted, depth + 1)), end];
}

function paragraph(lines, at) {
  let end = at + 1;
  while (end < lines.length && lines[end].trim() && !beginsBlock(lines[end])) end += 1;
  return [h("p", null, inline(lines.slice(at, end).join("\n"))), end];
}

function beginsBlock(line) {
  return [FENCE, BULLET, NUMBER, QUOTE, HEADING].some((pattern) => pattern.test(line));
}

function inline(text) {
  const found = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    found.push(text.slice(at, match.index), spanOf(match));
    at = match.index + match[0].length;
  }
  return [...found, text.slice(at)];
}

function spanOf([, code, bold, label, address, bare]) {
  if (code !== undefined) return h("code", null, code);
  if (bold !== undefined) return h("strong", null, bold);
  if (address !== undefined) return elsewhere(address, label);
  // The full stop belongs to the sentence.
  const [link] = /^.*[^.,;:!?]/.exec(bare);
  return [elsewhere(link), bare.slice(link.length)];
}
