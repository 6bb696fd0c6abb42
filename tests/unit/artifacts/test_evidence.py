"""What a worker attaches is OBSERVED, what the program in its run attaches REPORTED, and judges see which."""

from typing import Any

import pytest

from tests.workshop import issues
from tests.workshop.office import Body, Office

LINK = {"externalUrl": "https://example.com/pull/1", "linkTitle": "Pull request", "targetType": "issue"}


class Worker:
    """With a connected runtime, a run, and a program in it."""

    def __init__(self, office: Office) -> None:
        self.office, self.key = office, office.an_agents_key()
        self.call("agents.connect", {"instanceId": "box-1", "name": "box-1"})
        self.issue_id = issues.an_issue(office)
        self.run_id = self.call("issues.claim", {"issueId": self.issue_id})["runId"]
        self.programs_key = str(self.call("agents.sessionKey", {"runId": self.run_id})["rawKey"])

    def call(self, tool: str, arguments: Body) -> Body:
        return self.office.call(tool, arguments, key=self.key, session="box-1")

    def document(self, **how: Any) -> Body:
        document = {"issueId": self.issue_id, "title": "Tests", "body": "All of them pass."}
        return self.office.call("artifacts.create", document, **how)


@pytest.fixture
def worker(office: Office) -> Worker:
    return Worker(office)


def test_it_is_told_apart_who_says_so(office: Office, worker: Worker) -> None:
    observed = worker.document(key=worker.key, session="box-1")
    reported = worker.document(key=worker.programs_key)
    of_an_agent = worker.document(key=worker.key)
    of_a_person = worker.document()

    assert [one.get("evidence") for one in (observed, reported, of_an_agent, of_a_person)] == [
        "OBSERVED",
        "REPORTED",
        None,
        None,
    ]


def test_no_header_makes_a_program_an_observer(worker: Worker) -> None:
    assert worker.document(key=worker.programs_key, session="box-1")["evidence"] == "REPORTED"


def test_who_changes_the_words_answers_for_them(office: Office, worker: Worker) -> None:
    observed = worker.document(key=worker.key, session="box-1")

    accepted = office.call("artifacts.update", {"id": observed["id"], "status": "ACCEPTED"})
    rewritten = office.call(
        "artifacts.update", {"id": observed["id"], "body": "Trust me."}, key=worker.programs_key
    )

    assert (accepted["evidence"], rewritten["evidence"]) == ("OBSERVED", "REPORTED")


def test_links_are_told_apart_as_well_and_whoever_judges_sees_it(office: Office, worker: Worker) -> None:
    link = {**LINK, "targetId": worker.issue_id}
    worker.call("attachments.attachLink", link)
    office.call("attachments.attachLink", link, key=worker.programs_key)
    worker.document(key=worker.key, session="box-1")

    bundle = office.call("agent.context.bundle", {"issueId": worker.issue_id})

    assert [one["evidence"] for one in bundle["attachments"]] == ["OBSERVED", "REPORTED"]
    assert [one["evidence"] for one in bundle["artifacts"]] == ["OBSERVED"]


def test_the_evidence_of_a_completed_run_is_its_callers(office: Office, worker: Worker) -> None:
    report = {"runId": worker.run_id, "summary": "Done.", "artifact": {"title": "Log", "body": "ok"}}

    worker.call("runs.complete", report)

    (made,) = office.rows("artifacts.list", {"issueId": worker.issue_id})
    assert made["evidence"] == "OBSERVED"
