"""An agent at work on an issue, made with the product's own tools."""

from typing import Any, NamedTuple

from forge.testing.builders import an_artifact as an_artifact_item
from forge.work.issues.issues import IssueItem
from forge.work.issues.runs.reports import RunTextItem
from forge.work.issues.runs.runs import RunItem, RunStatus
from forge.work.record.log.kinds import EventKind
from forge.work.record.log.rows import LogItem
from tests.workshop.issues import an_agents_key, an_issue, head, run, run_events, table
from tests.workshop.office import Body, Office


class Engagement(NamedTuple):
    """A live run of an agent, with its key."""

    office: Office
    issue_id: str
    agent_id: str
    key: str
    run_id: str

    def call(self, tool: str, arguments: Body | None = None, **how: str) -> Body:
        """As the agent, about its run."""
        return self.office.call(tool, {"runId": self.run_id, **(arguments or {})}, key=self.key, **how)

    def refused(self, tool: str, arguments: Body | None = None) -> tuple[int, str, set[str]]:
        return self.office.refused(tool, {"runId": self.run_id, **(arguments or {})}, key=self.key)

    @property
    def run(self) -> RunItem:
        return run(self.office, self.run_id)

    @property
    def text(self) -> RunTextItem | None:
        key = RunTextItem.at(self.office.workspace.id, self.run_id)
        return table(self.office).find(RunTextItem, key)

    @property
    def signs(self) -> list[tuple[str, dict[str, Any]]]:
        """The kinds and payloads of the run's own events, oldest first."""
        return run_events(self.office, self.run_id)

    @property
    def head(self) -> IssueItem:
        return head(self.office, self.issue_id)


def engaged(
    office: Office,
    mode: str = "EXECUTE",
    *,
    agent_id: str | None = None,
    issue_id: str | None = None,
    **issue: Any,
) -> Engagement:
    """An agent that was given an issue in a mode; both are new, unless they are given."""
    agent = agent_id or office.an_agent(office.world.ids("agent"))["id"]
    wanted = issue_id or an_issue(office, **issue)
    office.call("issues.assign", {"issueId": wanted, "agentId": agent, "mode": mode})
    current = office.call("issues.get", {"id": wanted, "include": {"currentRun": True}})["currentRun"]
    return Engagement(office, wanted, agent, an_agents_key(office, agent), current["id"])


def become(worker: Engagement, status: str) -> None:
    """The run is in another status, for those that no tool sets."""
    tx = worker.office.begin()
    tx.replace(worker.run.changed(status=RunStatus(status)))
    worker.office.commit(tx)


def with_checklist(office: Office, issue_id: str, *items: Body) -> None:
    office.call("issues.update", {"id": issue_id, "verificationChecklist": [*items]})


def events_about(office: Office, run_id: str, *kinds: EventKind) -> list[LogItem]:
    """The log rows of a run, oldest first; of these kinds, if some are given."""
    about_it = [row for row in office.log() if (row.subject_type, row.subject_id) == ("agent-run", run_id)]
    return [row for row in about_it if not kinds or row.kind in kinds]


def an_artifact(office: Office, **more: Any) -> str:
    """Stored as it is, because not every kind of source can be had by a call."""
    artifact_id: str = office.world.ids("art")
    office.put(an_artifact_item(**office.here_and_now, id=artifact_id, slug=artifact_id, **more))
    return artifact_id
