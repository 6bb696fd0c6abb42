/** The workspace itself: how it is set, what was done in it, its copies, and what does not get on by itself. */

import { plainly, sizeOf } from "../words.js";
import { changesOf, nameOf, pathOf, saidOf } from "./changes.js";
import { fieldsOf, named } from "./forms.js";
import { TOOLS } from "./tools.js";

/** @typedef {import("./page.js").Description} Description */

const SETTINGS = TOOLS["workspaces.update"].fields.map(({ name }) => name).filter((name) => name !== "clear");
const byId = (/** @type {any} */ row) => ({ id: row.id });

/** @type {Description} */
export const settings = {
  title: "Settings",
  about: "How this workspace works. What is changed counts at once.",
  suggests: { startedStatusId: "statuses", reviewStatusId: "statuses" },
  lists: [
    {
      title: "The workspace",
      tool: "workspaces.get",
      rows: (answer) => SETTINGS.map((name) => ({ ...answer, id: name, setting: name, about: fieldsOf("workspaces.update", [name])[0].about })),
      columns: [
        ["Setting", (row) => named(row.setting)],
        ["Value", (row, names) => (row.setting === "name" ? row.name : saidOf(row[row.setting], names))],
        ["What it does", (row) => row.about],
      ],
      acts: SETTINGS.map((name) => ({
        text: "Change",
        tool: "workspaces.update",
        fields: [name],
        fills: true,
        when: (/** @type {any} */ row) => row.setting === name,
      })),
      empty: "There are no settings.",
    },
    {
      title: "Statuses",
      tool: "statuses.list",
      columns: [
        ["Name", (row) => row.name],
        ["Means", (row) => row.category, "mark"],
        ["Default", (row) => (row.isDefault ? "yes" : null)],
      ],
      acts: [{ text: "Edit", tool: "statuses.update", given: byId, fields: ["name", "color", "position", "isDefault"], fills: true }],
      empty: "There are none.",
    },
  ],
  makes: [{ text: "Add a status", tool: "statuses.create", fields: ["name", "category", "color", "isDefault"] }],
};

/** @type {Description} */
export const audit = {
  title: "Audit",
  about: "Every change of this workspace: what, by whom, with which key, and how it was before.",
  namesPeople: true,
  lists: [
    {
      title: "Changes",
      tool: "audit.list",
      filters: { entity: "Kind of thing", entityId: "Its id or name", issueNumber: "Number of an issue", from: "Since", to: "Before" },
      paged: true,
      pages: 1,
      columns: [
        ["What", (row) => `${plainly(row.entity)} ${plainly(row.action)}`],
        ["Of", nameOf],
        ["When", (row) => row.at, "time"],
        ["By", (row, names) => names[row.actor.agentId] ?? names[row.actor.userId] ?? (row.actor.userId ? "somebody who left" : "Forge itself")],
        ["Changed", changesOf, "lines"],
        ["Tool", (row) => row.tool, "code"],
        ["Outcome", (row) => (row.outcome === "success" ? null : row.outcome), "mark"],
      ],
      leads: pathOf,
      empty: "Nothing was changed, or nothing that these words fit.",
    },
  ],
};

/** @type {Description} */
export const exports = {
  title: "Exports",
  about: "A copy of everything in this workspace, as lines of JSON, and its files.",
  makes: [
    {
      text: "Export everything",
      tool: "export",
      tone: "primary",
      isOrdered: true,
      asks: () => "Everything of this workspace is written into files. That takes seconds, or minutes where there is much.",
      tells: () => ({ text: "It is being written, and stands below: download it once it is done." }),
    },
  ],
  lists: [
    {
      title: "Made within the last weeks",
      tool: "audit.list",
      given: () => ({ entity: "export", limit: 100 }),
      rows: exportsOf,
      columns: [
        ["Ordered", (row) => row.at, "time"],
        ["State", (row) => row.state, "mark"],
      ],
      acts: [{ text: "Open", tool: "exports.get", given: (row) => ({ exportId: row.id }), fields: ["part"], asks: () => "A long export has several parts, which are downloaded one by one.", tells: openedExport }],
      empty: "None was made.",
    },
    {
      title: "Files",
      tool: "exports.files",
      paged: true,
      columns: [
        ["Name", (row) => row.name.split("/").at(-1)],
        ["Size", (row) => sizeOf(row.size)],
        ["File", (row) => row.url, "link"],
      ],
      empty: "There are no attachments.",
    },
  ],
};

/** What the log has of each export, the newest first: when it was ordered, and whether it came to an end. @param {any} answer */
export function exportsOf(answer) {
  const ids = [...new Set(answer.data.map((/** @type {any} */ row) => row.entityId))];
  return ids.map((id) => {
    const those = answer.data.filter((/** @type {any} */ row) => row.entityId === id);
    return { id, at: those.at(-1).at, state: those.some(({ action }) => action === "finish") ? "DONE" : "RUNNING" };
  });
}

/** @param {any} answer @returns {import("./dialogs.js").Telling} */
export function openedExport({ status, items, bytes, parts, error, url }) {
  const rows = [["Lines", items], ["Size", bytes && sizeOf(bytes)], ["Parts", parts > 1 ? parts : null], ["Went wrong", error]];
  const known = rows.filter(([, value]) => value).map(([name, value]) => /** @type {[string, string]} */ ([name, String(value)]));
  return { text: url ? "It is done. Its address holds for a quarter of an hour." : `It is ${plainly(status)}.`, rows: known, link: url };
}

/** @type {Description} */
export const health = {
  title: "Health",
  about: "What Forge could not settle by itself, and what nobody took. All is well where both lists are empty.",
  lists: [
    {
      title: "Could not be settled",
      tool: "timers.list",
      paged: true,
      columns: [
        ["What", (row) => row.subject, "code"],
        ["State", (row) => row.state, "mark"],
        ["Tries", (row) => row.tries],
        ["Why", (row) => row.lastError],
        ["Since", (row) => row.failingSince, "time"],
        ["Next", (row) => row.nextTryAt, "time"],
      ],
      acts: [{ text: "Try again", tool: "timers.retry", given: byId }],
      empty: "Everything is settled.",
    },
    {
      title: "Deliveries that were given up",
      tool: "webhookDeliveries.list",
      given: () => ({ status: "DEAD_LETTER", limit: 50 }),
      columns: [
        ["What", (row) => plainly(row.kind)],
        ["Tries", (row) => row.attempt],
        ["Answer", (row) => row.responseStatus],
        ["Happened", (row) => row.createdAt, "time"],
      ],
      acts: [{ text: "Send again", tool: "webhookDeliveries.retry", given: byId }],
      empty: "Everything was taken.",
    },
  ],
};
