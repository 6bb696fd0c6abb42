/** A pull request of a native repository: what Forge knows of it, which is its issue and how that stands. */

import { theWorkspace } from "../allowed.js";
import { Refused, call } from "../api.js";
import { facts, goTo, h, mark, nothing, section, when } from "../dom.js";
import { paths } from "../routes.js";
import { plainly, toneOf } from "../words.js";

/** Issues in review that are looked into at most, for the number of their pull requests. */
const MOST_LOOKED_INTO = 12;

export const pullPage = {
  title: "Pull request",
  // It takes many calls.
  seconds: 60,
  read: readPull,
  decide: pullView,
  show: { found: showFound, unknown: showUnknown, backlog: showBacklog },
};

async function readPull({ owner, name, number, issue }) {
  const repository = `${owner}/${name}`;
  const named = /^([A-Z0-9]{1,20})-(\d{1,9})$/.exec(issue ?? "");
  const [listed, workspace] = await Promise.all([
    call("list_backlog", { repository, limit: 100 }),
    theWorkspace(),
  ]);
  if (!listed.success) throw new Refused(404, { message: listed.error });
  const locked = listed.backlog.filter((row) => row.isLocked).map((row) => row.number);
  const looked = named ? [Number(named[2])] : locked.slice(0, MOST_LOOKED_INTO);
  const states = await Promise.all(
    looked.map((issueNumber) => call("get_workflow_status", { repository, issueNumber })),
  );
  const workflow = states.flatMap((state) => state.workflows ?? []).find((one) => one.prNumber === Number(number));
  const about = named ? issue : null;
  return { repository, prefix: workspace.key, backlog: listed.backlog, workflow: workflow ?? null, about };
}

function pullView({ repository, prefix, backlog, workflow, about }, { number }) {
  const rows = backlog.map((row) => ({
    id: `${prefix}-${row.number}`,
    path: paths.issue(`${prefix}-${row.number}`),
    title: row.title,
    status: row.status,
    priority: row.priority,
    isInReview: row.status === "in-review",
    isThis: workflow?.issueNumber === row.number || about === `${prefix}-${row.number}`,
  }));
  const found = workflow && {
    issue: {
      path: paths.issue(`${prefix}-${workflow.issueNumber}`),
      text: `${prefix}-${workflow.issueNumber} ${workflow.title}`,
    },
    branch: workflow.branchName,
    phase: workflow.currentPhase,
    testsPassed: workflow.testsPassed,
    since: workflow.lockAcquiredAt,
    history: workflow.phaseHistory,
  };
  return {
    heading: `${repository} pull request ${number}`,
    parts: { found, unknown: workflow ? null : { repository, number, about }, backlog: rows },
  };
}

function showFound({ issue, branch, phase, testsPassed, since, history }) {
  const tests = { true: "passed", false: "failed" }[String(testsPassed)] ?? "not said";
  return h(
    "div",
    null,
    facts([
      ["Issue", goTo(issue.path, issue.text)],
      ["Branch", branch && h("code", null, branch)],
      ["Phase", mark(plainly(phase), "live")],
      ["Tests", tests],
      ["Worked on since", when(since)],
    ]),
    section(
      "Phases",
      h(
        "ol",
        { class: "plain" },
        [...history].reverse().map((one) => h("li", null, `${plainly(one.to)} `, when(one.timestamp))),
      ),
    ),
    h(
      "p",
      { class: "hint" },
      "The code of this repository is kept elsewhere: here are its issues, branches' names and phases.",
    ),
  );
}

function showUnknown({ repository, number, about }) {
  if (about) {
    const over = "Nobody works on it just now: what became of it stands there.";
    return h("div", { class: "since" }, h("p", null, "This is for ", goTo(paths.issue(about), about), ". ", over));
  }
  const why = `Which issue pull request ${number} of ${repository} is for is told only while that issue is locked. `;
  const now = "None that is locked has it: it was merged or given back, or there is no such pull request. ";
  return h("div", { class: "since" }, h("p", null, why, now, "Issues in review are marked below."));
}

function showBacklog(rows) {
  if (!rows.length) return section("Backlog of the repository", nothing("No issue of it is open."));
  return section(
    "Backlog of the repository",
    h(
      "ul",
      { class: "rows" },
      rows.map((row) =>
        h(
          "li",
          { class: `row ${row.isThis || row.isInReview ? "tone-warn" : ""}` },
          h("div", { class: "what" }, goTo(row.path, row.title)),
          h(
            "div",
            { class: "about" },
            h("span", null, row.id),
            mark(plainly(row.status), toneOf(row.isInReview ? "IN_REVIEW" : "")),
            row.priority ? h("span", null, row.priority) : null,
            row.isThis ? mark("this one", "live") : null,
          ),
        ),
      ),
    ),
  );
}
