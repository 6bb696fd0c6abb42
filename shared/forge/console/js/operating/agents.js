/** What operators do with agents and with what they are at. */

/** @typedef {import("./dialogs.js").Act} Act */

const DEFINED = ["name", "provider", "role", "capabilities", "maxConcurrent", "autoDispatchEligible", "engagementMode", "webhookUrl", "templateMarkdown"];
const byId = (/** @type {any} */ row) => ({ id: row.id });

/** @type {Act} */
export const MAKE = {
  text: "Make an agent",
  tool: "agents.create",
  tone: "primary",
  fields: ["profileKey", ...DEFINED],
  tells: (answer) => ({ text: `There is @${answer.profileKey} now. Make a key for it under Keys, with the kind AGENT.` }),
};

/** @type {Act[]} */
export const OF_AGENT = [
  { text: "Edit", tool: "agents.update", given: byId, fields: DEFINED, fills: true },
  {
    text: "Pause",
    tool: "agents.update",
    given: (row) => ({ id: row.id, autoDispatchEligible: false }),
    asks: (row) => `@${row.profileKey} is given nothing new by itself. What it has it goes on with.`,
    when: (row) => row.autoDispatchEligible !== false,
  },
  {
    text: "Let it go on",
    tool: "agents.update",
    given: (row) => ({ id: row.id, autoDispatchEligible: true }),
    asks: (row) => `@${row.profileKey} is given queued issues again.`,
    when: (row) => row.autoDispatchEligible === false,
  },
  {
    text: "New secret",
    tool: "agents.rotateSecret",
    given: byId,
    asks: (row) => `What @${row.profileKey} is sent is signed with another secret; for some hours the old one signs, too.`,
    fields: ["graceHours"],
    tells: (answer) => ({ text: "What it is sent is signed with this. It is shown here and nowhere else.", secret: answer.secret }),
  },
  {
    text: "Archive",
    tool: "agents.archive",
    tone: "danger",
    given: byId,
    asks: (row) => `@${row.profileKey} loses its keys and its runs end. Its issues are left to others. What it wrote stays.`,
  },
];

/** @type {Act[]} */
export const OF_RUN = [
  {
    text: "Kick",
    tool: "runs.kick",
    given: (row) => ({ runId: row.id }),
    asks: () => "Its agent is told once more, if nothing was heard of it for five minutes.",
    when: (row) => row.status === "ACTIVE",
  },
  { text: "Reassign", tool: "issues.reassign", given: (row) => ({ issueId: row.issueId }), fields: ["toProfileKey", "rationale"], when: (row) => Boolean(row.issueId) },
];
