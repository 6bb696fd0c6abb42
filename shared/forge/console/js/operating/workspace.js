/** The workspace itself: how it is set, what was done in it, its copies, and what does not get on by itself. */

import { TOOLS } from "./tools.js";

/** @typedef {import("./page.js").Description} Description */

const SETTINGS = TOOLS["workspaces.update"].fields.map(({ name }) => name).filter((name) => name !== "clear");
const byId = (/** @type {any} */ row) => ({ id: row.id });

/** What a setting is, as words. @param {any} value */
function said(value) {
  if (value === null || value === undefined || (Array.isArray(value) && !value.length)) return null;
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** @type {Description} */
export const settings = {
  title: "Settings",
  about: "How this workspace works. What is changed counts at once.",
  lists: [
    {
      title: "The workspace",
      tool: "workspaces.get",
      rows: (answer) => SETTINGS.map((name) => ({ ...answer, id: name, setting: name, about: TOOLS["workspaces.update"].fields.find((one) => one.name === name)?.about })),
      columns: [
        ["Setting", (row) => row.setting.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/^./, (/** @type {string} */ one) => one.toUpperCase())],
        ["Value", (row) => said(row[row.setting])],
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
  lists: [
    {
      title: "Changes",
      tool: "audit.list",
      given: ({ entity, entityId }) => ({ ...(entity ? { entity } : {}), ...(entityId ? { entityId } : {}), limit: 100 }),
      columns: [
        ["What", (row) => `${row.entity.replaceAll("-", " ")} ${row.action}`],
        ["When", (row) => row.at, "time"],
        ["By", (row, names) => names[row.actor.agentId] ?? row.actor.userId ?? row.actor.keyId],
        ["Tool", (row) => row.tool, "code"],
        ["Of", (row) => row.entityId, "code"],
        ["Before", (row) => said(row.before)],
        ["After", (row) => said(row.after)],
        ["Outcome", (row) => row.outcome, "mark"],
      ],
      empty: "Nothing was changed.",
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
      asks: () => "Everything of this workspace is written into files. Small ones come at once; for others look again in a minute.",
      tells: (answer) => (answer.exportId ? { text: "It is being written. Open it by its name below.", rows: [["Export", answer.exportId]] } : { text: "It is done." }),
    },
    {
      text: "Open an export",
      tool: "exports.get",
      fields: ["exportId", "part"],
      tells: (answer) => ({ text: `It is ${answer.status.toLowerCase()}.`, rows: [["Lines", String(answer.items ?? 0)], ["Parts", String(answer.parts ?? 0)], ["Address", answer.url ?? "not yet"]] }),
    },
  ],
  lists: [
    {
      title: "Files",
      tool: "exports.files",
      paged: true,
      columns: [
        ["Name", (row) => row.name],
        ["Bytes", (row) => row.size.toLocaleString()],
      ],
      empty: "There are no attachments.",
    },
  ],
};

/** @type {Description} */
export const health = {
  title: "Health",
  about: "What Forge could not settle by itself, and what nobody took. Nothing here means that all is well.",
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
        ["What", (row) => row.kind.toLowerCase().replaceAll("_", " ")],
        ["Tries", (row) => row.attempt],
        ["Answer", (row) => row.responseStatus],
        ["Happened", (row) => row.createdAt, "time"],
      ],
      acts: [{ text: "Send again", tool: "webhookDeliveries.retry", given: byId }],
      empty: "Everything was taken.",
    },
  ],
};
