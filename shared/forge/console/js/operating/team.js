/** Who works here, and by which keys: members, keys, crews, runtimes. */

import { counted, plainly } from "../words.js";

/** @typedef {import("./page.js").Description} Description */

const fields = (/** @type {any} */ ...names) => names;
const byId = (/** @type {any} */ row) => ({ id: row.id });

/** @type {Description} */
export const members = {
  title: "Members",
  about: "People of this workspace, and what they may do. Only admins see and change this.",
  makes: [
    { text: "Add a member", tool: "members.add", tone: "primary", fields: fields("email", "name", "handle", "role", "timezone") },
  ],
  lists: [
    {
      title: "People",
      tool: "members.list",
      columns: [
        ["Name", (row) => row.name ?? row.email],
        ["E-mail", (row) => row.email],
        ["Handle", (row) => row.handle && `@${row.handle}`],
        ["Role", (row) => row.role, "mark"],
        ["Since", (row) => row.createdAt, "time"],
      ],
      acts: [
        { text: "Role", tool: "members.setRole", given: (row) => ({ userId: row.id }), fields: fields("role"), asks: (row) => `What may ${row.name ?? row.email} do? Their keys follow at once.` },
        { text: "Edit", tool: "members.update", given: (row) => ({ userId: row.id }), fields: fields("name", "handle", "timezone"), fills: true },
        {
          text: "Remove",
          tool: "members.remove",
          tone: "danger",
          given: (row) => ({ userId: row.id }),
          asks: (row) => `${row.name ?? row.email} loses every key of this workspace at once. What they wrote stays.`,
        },
      ],
      empty: "There is nobody.",
    },
  ],
};

/** @type {Description} */
export const keys = {
  title: "Keys",
  about: "By a key a person, an agent or a script is known. A new key is shown once, and nobody can show it again.",
  makes: [
    {
      text: "Make a key",
      tool: "keys.create",
      tone: "primary",
      fields: fields("name", "kind", "scopes", "linkedAgentId", "userId", "expiresInDays", "ttlHours", "ratePerMinute", "projectIds", "labelIds"),
      tells: (answer) => ({ text: `This is the key ${answer.name}. It is shown here and nowhere else: keep it now.`, secret: answer.rawKey }),
    },
  ],
  namesPeople: true,
  suggests: { linkedAgentId: "agents", userId: "people", projectIds: "projects", labelIds: "labels" },
  lists: [
    {
      title: "Live keys",
      tool: "keys.list",
      paged: true,
      shows: (row) => !row.revokedAt,
      columns: [
        ["Name", (row) => row.name],
        ["Begins with", (row) => row.prefix, "code"],
        ["Kind", (row) => row.kind, "mark"],
        ["Of", (row, names) => names[row.linkedAgentId] ?? names[row.userId] ?? null],
        ["May", (row) => row.scopes.map(plainly).join(", ")],
        ["Confined to", confined],
        ["Used", (row) => row.lastUsedAt, "time"],
        ["Ends", (row) => row.expiresAt, "time"],
      ],
      acts: [
        { text: "Rate", tool: "keys.update", given: byId, fields: fields("ratePerMinute"), fills: true },
        { text: "Revoke", tool: "keys.revoke", tone: "danger", given: byId, asks: (row) => `Whoever uses ${row.name} is refused from now on. This can't be undone.` },
      ],
      empty: "There is no key that works.",
    },
  ],
};

/** @param {any} row @param {Record<string, string>} names */
function confined(row, names) {
  const said = [...row.projectIds, ...row.labelIds].map((/** @type {string} */ id) => names[id] ?? id);
  const more = row.initiativeIds.length ? [counted(row.initiativeIds.length, "initiative")] : [];
  return [...said, ...more].join(", ") || null;
}

/** @type {Description} */
export const crews = {
  title: "Crews",
  about: "Agents with roles, who carry out plans together.",
  makes: [{ text: "Make a crew", tool: "agentCrews.create", tone: "primary", fields: fields("name", "description", "maxParallel") }],
  suggests: { agentId: "agents" },
  lists: [
    {
      title: "Crews at work",
      tool: "agentCrews.list",
      paged: true,
      columns: [
        ["Name", (row) => row.name],
        ["What for", (row) => row.description],
        ["Members", (row, names) => row.members.map((/** @type {any} */ one) => `${names[one.agentId] ?? one.agentId} (${plainly(one.role)})`).join(", ")],
        ["Steps at once", (row) => row.maxParallel || "no limit"],
        ["Plans", (row) => row._count.plans],
      ],
      acts: [
        { text: "Add an agent", tool: "agentCrews.addMember", given: (row) => ({ crewId: row.id }), fields: fields("agentId", "role") },
        { text: "Edit", tool: "agentCrews.update", given: byId, fields: fields("name", "description", "maxParallel"), fills: true },
        { text: "Archive", tool: "agentCrews.archive", tone: "danger", given: byId, asks: (row) => `${row.name} takes part in no new plan.` },
      ],
      empty: "There are no crews yet.",
    },
    {
      title: "Who is in them",
      tool: "agentCrews.list",
      paged: true,
      rows: (answer) => answer.data.flatMap((/** @type {any} */ crew) => crew.members.map((/** @type {any} */ one) => ({ ...one, crew: crew.name }))),
      columns: [
        ["Agent", (row, names) => names[row.agentId] ?? row.agentId],
        ["Crew", (row) => row.crew],
        ["Role", (row) => row.role, "mark"],
      ],
      acts: [
        { text: "Change the role", tool: "agentCrews.setMemberRole", given: (row) => ({ memberId: row.id }), fields: fields("role"), fills: false },
        { text: "Take out", tool: "agentCrews.removeMember", tone: "danger", given: (row) => ({ memberId: row.id }), asks: (row) => `It is no ${plainly(row.role)} of ${row.crew} any more.` },
      ],
      empty: "No agent is in a crew.",
    },
    {
      title: "Runtimes",
      tool: "runtimes.list",
      paged: true,
      columns: [
        ["Name", (row) => row.name],
        ["Kind", (row) => row.kind, "mark"],
        ["Agents", (row) => row._count.agents],
        ["Heard of", (row) => row.heartbeatAt, "time"],
      ],
      empty: "No machine has said yet that agents run on it.",
    },
  ],
};
