/** What Forge is connected with: repositories, webhooks and what they were sent, and who is given what by itself. */

import { plainly } from "../words.js";

/** @typedef {import("./page.js").Description} Description */

const fields = (/** @type {any} */ ...names) => names;
const byId = (/** @type {any} */ row) => ({ id: row.id });
const SIGNED = (/** @type {any} */ answer) => ({ text: "By this secret what is sent can be told from forgeries. It is shown here and nowhere else.", secret: answer.secret });

/** @type {Description} */
export const repositories = {
  title: "Repositories",
  suggests: { projectId: "projects" },
  about: "Backlogs are kept here, or on GitHub. How GitHub is connected is told in the guide to it.",
  makes: [
    {
      text: "Register a repository",
      tool: "repositories.register",
      tone: "primary",
      fields: fields("fullName", "provider", "default", "readOnly", "projectId", "connection", "config"),
      tells: (answer) =>
        answer.webhookUrl
          ? { text: "Give GitHub this address and this secret, which is shown once.", secret: answer.webhookSecret, rows: [["Address", answer.webhookUrl]] }
          : null,
    },
  ],
  lists: [
    {
      title: "Registered",
      tool: "repositories.list",
      columns: [
        ["Name", (row) => row.fullName],
        ["Kept", (row) => (row.provider === "github" ? "on GitHub" : "here")],
        ["Default", (row) => (row.default ? "yes" : null)],
        ["State", (row) => (row.paused ? "PAUSED" : row.readOnly ? "READ_ONLY" : "ACTIVE"), "mark"],
        ["Changed", (row) => row.updatedAt, "time"],
      ],
      acts: [
        { text: "Edit", tool: "repositories.update", given: byId, fields: fields("readOnly", "default", "paused", "projectId", "connection", "config"), fills: true },
        { text: "Remove", tool: "repositories.remove", tone: "danger", given: (row) => ({ fullName: row.fullName }), asks: (row) => `${row.fullName} has no backlog here any more. Its issues stay.` },
      ],
      empty: "There is no repository yet.",
    },
    {
      title: "Connected on GitHub",
      tool: "github.listMappings",
      given: () => ({ includePaused: true }),
      columns: [
        ["Repository", (row) => row.target],
        ["State", (row) => row.status, "mark"],
      ],
      empty: "No repository on GitHub is connected.",
    },
  ],
};

/** @type {Description} */
export const webhooks = {
  title: "Webhooks",
  about: "Who is told of what happens, signed; and what they were told.",
  makes: [{ text: "Make a webhook", tool: "webhooks.create", tone: "primary", fields: fields("url", "secret", "events"), tells: SIGNED }],
  lists: [
    {
      title: "Who is told",
      tool: "webhooks.list",
      paged: true,
      called: (row) => row.url,
      columns: [
        ["Address", (row) => row.url],
        ["Of", (row) => (row.events.length ? row.events.map(plainly).join(", ") : "everything")],
        ["State", (row) => (row.active ? "ACTIVE" : "OFF"), "mark"],
        ["Since", (row) => row.createdAt, "time"],
      ],
      acts: [
        { text: "New secret", tool: "webhooks.rotateSecret", given: byId, fields: fields("graceHours"), tells: SIGNED },
        { text: "Delete", tool: "webhooks.delete", tone: "danger", given: byId, asks: (row) => `${row.url} is told of nothing any more.` },
      ],
      empty: "Nobody is told by webhook.",
    },
    ...["DEAD_LETTER", "FAILED", "SUCCESS"].map((status) => deliveries(status)),
  ],
};

/** @param {string} status @returns {import("./page.js").List} */
function deliveries(status) {
  const titles = { DEAD_LETTER: "Given up", FAILED: "To be tried again", SUCCESS: "Taken" };
  return {
    title: titles[status],
    tool: "webhookDeliveries.list",
    given: () => ({ status }),
    paged: true,
    pages: 1,
    columns: [
      ["What", (row) => plainly(row.kind)],
      ["Whom", (row, names) => names[row.webhookId] ?? names[row.agentId] ?? "a webhook that is gone"],
      ["Tries", (row) => row.attempt],
      ["Answer", (row) => (row.responseStatus ? `${row.responseStatus} ${String(row.responseBody ?? "").slice(0, 120)}` : null)],
      ["Happened", (row) => row.createdAt, "time"],
      ["Taken", (row) => row.deliveredAt, "time"],
    ],
    acts: status === "DEAD_LETTER" ? [{ text: "Send again", tool: "webhookDeliveries.retry", given: byId }] : [],
    empty: "None.",
  };
}

/** @type {Description} */
export const dispatch = {
  title: "Dispatch rules",
  about: "Which agent auto-dispatch gives queued issues to, before the workspace's mode is asked. The first rule that fits counts.",
  makes: [
    { text: "Make a rule", tool: "dispatchRules.create", tone: "primary", fields: fields("name", "targetAgentId", "priority", "labelId", "projectId", "order", "enabled") },
    { text: "Who would get this?", tool: "dispatchRules.dryRun", fields: fields("issueId"), tells: tried },
  ],
  suggests: { targetAgentId: "agents", labelId: "labels", projectId: "projects" },
  lists: [
    {
      title: "Rules",
      tool: "dispatchRules.list",
      columns: [
        ["Name", (row) => row.name],
        ["Gives", fitting],
        ["To", (row, names) => names[row.targetAgentId] ?? row.targetAgentId],
        ["Order", (row) => row.order],
        ["State", (row) => (row.enabled ? "ACTIVE" : "OFF"), "mark"],
      ],
      acts: [
        { text: "Edit", tool: "dispatchRules.update", given: byId, fields: fields("name", "targetAgentId", "priority", "labelId", "projectId", "order", "enabled"), fills: true },
        { text: "Delete", tool: "dispatchRules.delete", tone: "danger", given: byId, asks: (row) => `The rule ${row.name} is gone for good. What it gave out stays where it is.` },
      ],
      empty: "There are no rules: the workspace's mode decides alone.",
    },
  ],
};

/** Which issues a rule is about. @param {any} rule @param {Record<string, string>} names */
function fitting({ priority, labelId, projectId }, names) {
  const said = [
    priority && plainly(priority),
    labelId && `label ${names[labelId] ?? labelId}`,
    projectId && `project ${names[projectId] ?? projectId}`,
  ];
  return said.filter(Boolean).join(", ") || "everything";
}

/** What a dry run says. @param {any} answer @returns {{text: string, rows: [string, string][]}} */
export function tried({ chosen, against, reason, mode, candidates }) {
  const those = (/** @type {boolean} */ isEligible) => {
    const found = candidates.filter((/** @type {any} */ one) => one.eligible === isEligible);
    return found.map((/** @type {any} */ one) => `@${one.profileKey}`).join(", ") || "nobody";
  };
  const left = against?.replaceAll("-", " ");
  const but = left ? `, but it is left alone as it stands: ${left}` : "";
  return {
    text: chosen ? `@${chosen.profileKey} would get it${but}.` : `Nobody would get it${left ? `: ${left}` : ""}.`,
    rows: [
      ["Why", reason.replaceAll("-", " ")],
      ["Mode", plainly(mode)],
      ["With room", those(true)],
      ["Without", those(false)],
    ],
  };
}
