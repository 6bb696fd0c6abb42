"""What one's own timer shows while it runs."""

from typing import Any

from forge.testing.instruments import Parameters, Send
from tests.workshop.interference import only
from tests.workshop.issues import a_project, an_issue
from tests.workshop.office import Office
from tests.workshop.time import tracking


def test_it_comes_with_its_issue(office: Office) -> None:
    project_id = a_project(office)
    issue = office.call("issues.create", {"title": "Fix the login", "projectId": project_id})
    started = office.call("time.start", {"issueId": issue["id"]})

    running = office.call("time.running")

    named = {name: issue[name] for name in ("id", "identifier", "number", "title")}
    assert running == started | {"issue": named | {"projectId": project_id}}


def test_without_an_issue_there_is_none_and_without_a_timer_nothing(office: Office) -> None:
    assert office.send("time.running").body == "null"

    office.call("time.start")

    assert office.call("time.running")["issue"] is None
    assert office.send("time.running", key=office.a_colleague().key).body == "null"


def test_one_that_is_stopped_while_it_is_read_does_not_run(office: Office) -> None:
    tracking(office)
    office.call("time.start", {"issueId": an_issue(office)})
    reads: list[str] = []

    def stop_before_the_second(operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        reads.append(operation)
        if len(reads) == 2:
            office.call("time.stop")
        return send(**parameters)

    office.interference.handle = only("BatchGetItem", stop_before_the_second)

    assert office.send("time.running").body == "null"
