"""Takes the pictures of the guides, of a team in the middle of its week.

python -m tests.console.showing --into .tools/console --pictures docs/images
"""

import argparse
import json
import sys
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from forge.cli.dev_clock import CLOCK_PATH
from tests.console.calling import Seeder
from tests.console.run import drive, find_browser
from tests.integration.cli.dev_process import running_dev

_HOUR = 3_600
_DAY = 24 * _HOUR
_DAYS = 8
_OPERATOR = ["READ_ISSUES", "WRITE_ISSUES", "WRITE_COMMENTS", "READ_USERS", "READ_PROJECTS", "WRITE_PROJECTS"]
_DONE = (
    *("Sign in with a passkey", "Rate limit the token endpoint", "Say why a sign-in failed", "Rotate keys"),
    *("Remember the last page", "Drop the session cache", "Index the audit log", "Explain 429 in the docs"),
    *("Retry webhooks with a back-off", "Type the settings page", "Paint focus rings", "Split the mailer"),
)
_REVIEW = ("Export as CSV", "Time zones in reminders")
_LIVE = (
    ("Fix login timeout on Safari", "URGENT", "worker", "Writing a test that fails", 1.84),
    ("Import customers from a file", "HIGH", "ada", "Parsing the second format", 3.10),
    ("Search finds accents", "MEDIUM", "reviewer", "Comparing three collations", 0.62),
)
_TODO = (
    *("Show when a key was last used", "Webhook page says what was sent", "Shorter invitation mails"),
    *("Dark colours in charts", "Archive old projects by themselves"),
)
_LATER = ("Undo for bulk moves", "Offline drafts", "A tour for newcomers", "Keyboard help in every dialog")
_FOLLOWING = {2: "Try passkeys on a second device", 5: "Tell admins of a new device"}
_TEXT = """Half of the people on Safari are signed out after a minute.

| browser | signed out after |
|---|--:|
| Safari 18 | **60 s** |
| Firefox 131 | never |

- [x] find out which cookie is dropped
- [ ] a test that fails
- [ ] mend it, and try it on a phone"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, required=True, help="where playwright-core is installed")
    parser.add_argument("--pictures", type=Path, required=True, help="where they go")
    given = parser.parse_args()
    browser = find_browser()
    if browser is None:
        return 1
    given.pictures.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder, running_dev(Path(folder) / "home") as dev:
        facts = {**Team(dev).shown(), "browser": browser, "baseUrl": dev.base_url}
        return drive(
            given.into.resolve(),
            json.dumps({**facts, "screenshots": str(given.pictures.resolve())}),
            script="pictures.mjs",
        )


class Team(Seeder):
    """Days go by while they work."""

    def shown(self) -> Mapping[str, Any]:
        terms = self._terms()
        goal = self._plan()
        self._past(terms)
        live = self._present(terms)
        asked = self._ask(live[0])
        self._go_on(goal)
        self._pass(900)
        scopes = [*_OPERATOR, "READ_ANALYTICS"]
        keys = [
            self.call("owner", "keys.create", "admin", name=f"laptop {number}", scopes=scopes)
            for number in range(3)
        ]
        return {
            "keys": {"owners": [str(one["rawKey"]) for one in keys]},
            "issue": live[0],
            "cycle": terms["cycle"],
            "goal": goal["id"],
            "request": asked,
        }

    def _terms(self) -> dict[str, Any]:
        self.call("owner", "agents.create", "admin", profileKey="ada", name="Ada", maxConcurrent=3)
        for agent in ("worker", "reviewer", "planner"):
            found = next(
                one for one in self.call("owner", "agents.list")["data"] if one["profileKey"] == agent
            )
            self.call("owner", "agents.update", "admin", id=found["id"], maxConcurrent=5)
        initiative = self.call("owner", "initiatives.create", name="Nobody waits to sign in")
        web = self.call("owner", "projects.create", key="WEB", name="Web", initiativeId=initiative["id"])
        core = self.call("owner", "projects.create", key="CORE", name="Core")
        labels = [
            self.call("owner", "labels.create", name=name)["id"]
            for name in ("safari", "accessibility", "api")
        ]
        cycle = self.call("owner", "cycles.create", name="Sprint 14", lengthDays=14)
        self.call("owner", "cycles.update", id=cycle["id"], status="ACTIVE")
        statuses = {one["category"]: one["id"] for one in self.call("owner", "statuses.list")["data"]}
        return {
            "projects": [web["id"], core["id"]],
            "labels": labels,
            "cycle": cycle["id"],
            "statuses": statuses,
        }

    def _write(self, terms: Mapping[str, Any], titles: tuple[str, ...], category: str) -> list[str]:
        made = [
            self.call(
                *("owner", "issues.create"),
                title=title,
                projectId=terms["projects"][number % 2],
                labelIds=[terms["labels"][number % 3]] if number % 2 else [],
                statusId=terms["statuses"][category],
                priority=("MEDIUM", "NONE", "HIGH", "LOW")[number % 4],
            )
            for number, title in enumerate(titles)
        ]
        ids = [str(one["identifier"]) for one in made]
        self.call("owner", "cycles.plan", cycleId=terms["cycle"], issueIds=ids)
        return ids

    def _past(self, terms: Mapping[str, Any]) -> None:
        """A week in which some was done each day."""
        self._write(terms, _REVIEW, "IN_REVIEW")
        self._write(terms, _TODO, "TODO")
        self._write(terms, _LATER, "BACKLOG")
        for day in range(_DAYS):
            evening = self._now() + timedelta(seconds=_DAY)
            for issue in self._write(terms, _DONE[day * 3 // 2 : (day + 1) * 3 // 2], "TODO"):
                agent = ("worker", "reviewer", "ada")[day % 3]
                self._carry_out(issue, agent, 0.4 + day % 4 * 0.35)
                self._pass((1 + day % 3) * _HOUR)
                self.call("owner", "issues.transition", id=issue, statusId=terms["statuses"]["DONE"])
            if day in (2, 5):
                self._write(terms, (_FOLLOWING[day],), "TODO")
            self._answer(day)
            self._pass(int((evening - self._now()).total_seconds()))

    def _answer(self, day: int) -> None:
        """Each day one question, for which somebody takes their time."""
        asked = self.call("reviewer", "actionRequests.create", title="Shall it be merged?")
        self._pass((10 + day * 7 % 40) * 60)
        self.call("owner", "actionRequests.accept", id=asked["id"], resolution="Yes.")

    def _carry_out(self, issue: str, agent: str, cost: float) -> None:
        self.call("owner", "issues.assign", issueId=issue, profileKey=agent)
        (run,) = self.call("owner", "runs.list", issueId=issue)["data"]
        if agent == "ada":
            return
        usage = {"tokensIn": int(cost * 40_000), "tokensOut": int(cost * 3_000), "costUsd": cost}
        self.call(agent, "runs.complete", runId=run["id"], summary="Done, with a test.", usage=usage)

    def _present(self, terms: Mapping[str, Any]) -> list[str]:
        titles = tuple(title for title, *_ in _LIVE)
        ids = self._write(terms, titles, "TODO")
        for issue, (_, priority, agent, step, cost) in zip(ids, _LIVE, strict=True):
            self.call("owner", "issues.update", id=issue, priority=priority, description=_TEXT)
            self.call("owner", "issues.assign", issueId=issue, profileKey=agent)
            if agent == "ada":
                continue
            said = self.call(agent, "comments.upsertStatus", issueId=issue, body=step, currentStep=step)
            self.call(
                agent, "runs.recordUsage", runId=said["runId"], tokensIn=int(cost * 40_000), costUsd=cost
            )
            self.call(agent, "agents.heartbeat", status="BUSY")
        due = {"dueDate": self._at(2 * _DAY)}
        self.call("owner", "issues.update", id=ids[0], **due)
        log = "$ make test\n..........F\n1 failed: signed out after 60 s\n"
        (run,) = self.call("owner", "runs.list", issueId=ids[0])["data"]
        self.call("worker", "runs.appendLog", runId=run["id"], seq=0, chunk=log)
        return ids

    def _ask(self, issue: str) -> str:
        asked = self.call(
            *("worker", "actionRequests.create"),
            title="May I drop the old session cookie?",
            body=f"Two cookies fight over one name. Without the old one the test passes.\n\n{_TEXT}",
            issueId=issue,
            severity="CRITICAL",
            dueAt=self._at(_DAY / 6),
        )
        ask = ("reviewer", "actionRequests.create")
        self.call(*ask, title="Which browsers do we support?", severity="WARNING")
        self.call(*ask, title="May I bump the linter?")
        options = [{"key": "icu", "label": "ICU"}, {"key": "fold", "label": "Fold accents"}]
        self.call(*ask, title="Which collation shall search use?", options=options)
        stuck = self.call("owner", "issues.create", title="Choose a schema for imports")
        said = self.call("worker", "comments.upsertStatus", issueId=stuck["id"], body="Looking.")
        waits = {"runId": said["runId"], "reason": "Which schema shall it be?", "blocking": True}
        self.call("worker", "runs.setWaiting", **waits)
        return str(asked["id"])

    def _plan(self) -> dict[str, str]:
        members = [
            {"agentId": agent, "role": role}
            for agent, role in (("planner", "PLANNER"), ("worker", "WORKER"), ("reviewer", "REVIEWER"))
        ]
        crew = self.call("owner", "agentCrews.create", name="Importers", members=members)
        issue = self.call("owner", "issues.create", title="Read every invoice")
        goal = self.call(
            *("owner", "goals.create"),
            title="Read every invoice",
            crewId=crew["id"],
            issueId=issue["id"],
            maxTotalCostUsd=20,
        )
        return {"id": goal["id"], "issue": issue["id"]}

    def _go_on(self, goal: Mapping[str, str]) -> None:
        """A plan in the middle: done, judged, under way and to come."""
        plan = self.call("owner", "plans.decompose", goalId=goal["id"])["planId"]
        steps: list[dict[str, Any]] = [
            {"title": "Collect a hundred invoices"},
            {"title": "Write the reader", "dependsOnStepIndexes": [0]},
            {"title": "Write down what right would be", "dependsOnStepIndexes": [0]},
            {"title": "Compare both", "dependsOnStepIndexes": [1, 2]},
            {"title": "Mend what differs", "dependsOnStepIndexes": [3]},
            {"title": "Say how to run it", "dependsOnStepIndexes": [2]},
        ]
        self.call("planner", "plans.addSteps", planId=plan, steps=steps)
        self.call("owner", "plans.activate", planId=plan)
        for place, verdict in ((0, "PASS"), (1, "FAIL")):
            step = self.call("owner", "executionPlans.get", id=plan)["steps"][place]["id"]
            self.call("worker", "executionPlans.transitionStep", stepId=step, status="RUNNING")
            run = self.call("owner", "runs.list", issueId=goal["issue"])["data"][0]["id"]
            self.call("worker", "runs.recordUsage", runId=run, tokensIn=90_000, costUsd=2.4 + place)
            told = {"verdict": verdict, "feedback": "Totals are off by a cent."}
            self.call("reviewer", "plans.recordVerdict", stepId=step, **told)

    def _now(self) -> datetime:
        answer = self.dev.post(CLOCK_PATH, {"advanceSeconds": 0}).json()
        return datetime.fromisoformat(next(value for value in answer.values() if isinstance(value, str)))

    def _at(self, seconds: float) -> str:
        return str((self._now() + timedelta(seconds=seconds)).isoformat())

    def _pass(self, seconds: int) -> None:
        answer = self.dev.post(CLOCK_PATH, {"advanceSeconds": seconds})
        assert answer.status_code == 200, answer.text


if __name__ == "__main__":
    sys.exit(main())
