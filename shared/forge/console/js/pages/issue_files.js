/** Files and links of an issue: shown, fetched, and attached. */

import { useState } from "../../vendor/hooks.js";
import { Refused, call } from "../api.js";
import { useDeed } from "../deciding.js";
import { elsewhere, h, nothing, section, trouble } from "../dom.js";
import { Adding } from "../fields.js";
import { sizeOf } from "../words.js";
import { write } from "../writing.js";

/** What fits into a call: nothing is sent to where files are kept, which is another host. */
const MOST_BYTES = 2 * 1024 * 1024;
/** At once, or the list of arguments is too long for a call of a function. */
const CHUNK = 0x8000;
/** Types that browsers don't know, by how the name ends. */
const TYPES = { md: "text/markdown", csv: "text/csv", log: "text/plain", txt: "text/plain", json: "application/json" };

/** @param {HTMLFormElement} form @returns {File} */
function fileIn(form) {
  return /** @type {File} */ (new FormData(form).get("file"));
}

/** @param {File} file @param {string} issueId @param {any} context */
async function upload(file, issueId, context) {
  if (file.size > MOST_BYTES) throw new Refused(413, { message: `This file has ${sizeOf(file.size)}; from here at most 2 MB are sent. A link can be attached, or an agent sends it.` });
  if (!file.size) throw new Refused(400, { message: "This file is empty." });
  const mimeType = file.type || (TYPES[file.name.split(".").at(-1)?.toLowerCase() ?? ""] ?? "text/plain");
  const order = { targetType: "issue", targetId: issueId, filename: file.name, mimeType, size: file.size };
  const base64 = encoded(new Uint8Array(await file.arrayBuffer()));
  const { attachmentId } = await write("attachments.initUpload", order, context);
  await write("attachments.finalize", { attachmentId, base64 }, context);
}

/** @param {Uint8Array} bytes */
function encoded(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}

export function showFiles({ id, may, rows }, context) {
  const deed = useDeed(context.app);
  const addFile = (_, form) => deed.act(async () => (await upload(fileIn(form), id, context), context.reload()));
  const addLink = (said) =>
    deed.act(async () => {
      const order = { targetType: "issue", targetId: id, externalUrl: said("url"), linkTitle: said("title") || undefined };
      await write("attachments.attachLink", order, context);
      await context.reload();
    });
  return section(
    "Files and links",
    rows.length ? h("ul", { class: "plain" }, rows.map((row) => h(File, { key: row.id, row }))) : nothing("None."),
    trouble(deed.problem),
    may
      ? [
          h(
            Adding,
            { name: "Attach a file", add: addFile, isUnderWay: deed.isUnderWay },
            h("input", { name: "file", type: "file", required: true, "aria-label": "File, 2 MB at most" }),
          ),
          h(
            Adding,
            { name: "Attach a link", add: addLink, isUnderWay: deed.isUnderWay },
            h("input", { name: "url", type: "url", required: true, placeholder: "https://…", "aria-label": "Address" }),
            h("input", { name: "title", type: "text", placeholder: "Title (optional)", "aria-label": "Title" }),
          ),
        ]
      : null,
  );
}

/** A file's address holds for minutes, so it is asked for when somebody wants it. */
function File({ row }) {
  const [address, setAddress] = useState("");
  const [problem, setProblem] = useState("");
  if (row.isLink) return h("li", null, elsewhere(row.url, row.name));
  const ask = async () => {
    try {
      setAddress((await call("attachments.getDownloadUrl", { attachmentId: row.id })).url);
    } catch (refusal) {
      if (!(refusal instanceof Refused)) throw refusal;
      setProblem(refusal.message);
    }
  };
  const link = h("a", { href: address, rel: "noopener noreferrer", target: "_blank" }, "Download");
  const button = h("button", { type: "button", class: "quiet small", onclick: ask }, "Get it");
  return h("li", null, row.name, h("span", { class: "hint" }, ` ${sizeOf(row.size)} `), address ? link : button, trouble(problem));
}
