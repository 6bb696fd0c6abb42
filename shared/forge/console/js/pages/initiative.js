/** An initiative: its projects with how far each is, the burn-up of all, and what is under way. */

import { mayCall } from "../allowed.js";
import { call, pages } from "../api.js";
import { burnUp, progressOf } from "../burnup.js";
import { serverNow } from "../clock.js";
import { useDeed } from "../deciding.js";
import { facts, goTo, h, mark, nothing, section, trouble, upcoming } from "../dom.js";
import { choiceField, choicesOf, saidIn } from "../fields.js";
import { ROW_FIELDS, issueRow, showBurnUp, showIssueRows, showProgress, spanOf } from "../issue_rows.js";
import { theTerms } from "../known.js";
import { markdown } from "../markdown.js";
import { at } from "../routes.js";
import { plainly, toneOf } from "../words.js";
import { write } from "../writing.js";

const MOST_PAGES = 10;
const LIVE = ["IN_PROGRESS", "IN_REVIEW"];

/** @type {import("../opening.js").Page} */
export const initiativePage = {
  title: "Initiative",
  seconds: 30,
  read: readInitiative,
  decide: initiativeView,
  show: {
    state: showState,
    description: (text) => section("Description", markdown(text)),
    burn: showBurnUp,
    projects: showProjects,
    live: (rows) => section("Under way", showIssueRows(rows, { empty: "Nothing is under way." })),
  },
};

async function readInitiative({ id }) {
  const fields = [...ROW_FIELDS, "projectId"];
  const [initiative, issues, terms, may] = await Promise.all([
    call("initiatives.get", { id }),
    pages("issues.list", { initiativeId: id, includeDone: true, limit: 100, fields }, { most: MOST_PAGES }),
    theTerms(),
    mayCall("initiatives.linkProject"),
  ]);
  return { initiative, issues, terms, may };
}

function initiativeView({ initiative, issues, terms, may }) {
  const { rows, isCut } = issues;
  const begun = Math.min(...rows.map((one) => Date.parse(one.createdAt)), serverNow());
  const own = new Set(initiative.projects.map((one) => one.id));
  return {
    heading: initiative.name,
    parts: {
      state: { status: initiative.status, targetDate: initiative.targetDate, isCut, progress: progressOf(rows.map((one) => one.status)) },
      description: initiative.description || null,
      burn: rows.length ? burnUp(rows.map(spanOf), { from: begun, now: serverNow() }) : null,
      projects: {
        id: initiative.id,
        others: may ? terms.projects.filter((one) => !own.has(one.id)) : [],
        rows: initiative.projects.map(({ id, name, targetDate }) => ({
          id,
          name,
          targetDate,
          progress: progressOf(rows.filter((one) => one.projectId === id).map((one) => one.status)),
        })),
      },
      live: rows.filter((one) => LIVE.includes(one.status.category)).map(issueRow),
    },
  };
}

function showState({ status, targetDate, isCut, progress }) {
  return h(
    "div",
    { class: "ask" },
    h("p", { class: "about" }, mark(plainly(status), toneOf(status))),
    showProgress(progress),
    facts([["Due", targetDate && upcoming(targetDate)]]),
    isCut ? h("p", { class: "hint" }, "It has more issues than are counted here.") : null,
  );
}

function showProjects({ id, others, rows }, context) {
  const deed = useDeed(context.app);
  const add = (event) => {
    event.preventDefault();
    const projectId = saidIn(event.currentTarget)("project");
    if (projectId) deed.act(async () => (await write("initiatives.linkProject", { initiativeId: id, projectId }, context), context.reload()));
  };
  return section(
    "Projects",
    rows.length ? h("ul", { class: "rows" }, rows.map(showProject)) : nothing("No project serves it yet."),
    trouble(deed.problem),
    others.length
      ? h(
          "form",
          { class: "inline", onsubmit: add },
          choiceField("Another project", { id: "project", name: "project", required: true }, choicesOf("Choose…", others)),
          h("button", { type: "submit", disabled: deed.isUnderWay }, "Add"),
        )
      : null,
  );
}

function showProject({ id, name, targetDate, progress }) {
  return h(
    "li",
    { key: id, class: "row" },
    h("div", { class: "what" }, goTo(at("/board", { project: id }), name)),
    showProgress(progress) ?? h("p", { class: "hint" }, "No issues yet."),
    targetDate ? h("p", { class: "hint" }, "due ", upcoming(targetDate)) : null,
  );
}
