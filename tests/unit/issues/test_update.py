"""issues.update: what is left out stays, `clear` empties, and only what is new is written and told."""

import pytest

from forge.work.record.log.kinds import EventKind
from tests.workshop.issues import (
    a_project,
    an_issue,
    body,
    counts,
    description,
    head,
    last,
    listed,
    now,
    status_id,
)
from tests.workshop.office import Body, Office

CHECK = {"id": None, "label": "Tests pass", "kind": "command", "value": "make test", "done": False}


def update(office: Office, issue_id: str, **fields: object) -> Body:
    return office.call("issues.update", {"id": issue_id, **fields})


def refused(office: Office, issue_id: str, **fields: object) -> tuple[int, str, set[str]]:
    """How it was refused; the issue must be as it was."""
    before = head(office, issue_id), body(office, issue_id)
    answer = office.refused("issues.update", {"id": issue_id, **fields})
    assert (head(office, issue_id), body(office, issue_id)) == before
    return answer


def a_cycle(office: Office) -> str:
    return str(office.call("cycles.create", {"name": "Sprint 1"})["id"])


def values(office: Office) -> dict[str, object]:
    """One for each field that can be cleared."""
    return {
        "description": "It hangs.",
        "projectId": a_project(office),
        "cycleId": a_cycle(office),
        "parentId": an_issue(office, "Parent"),
        "dueDate": "2100-01-31T12:00:00Z",
        "estimate": 2.5,
        "expectedOutput": "A test that fails before.",
        "verificationChecklist": [{"label": "Tests pass", "kind": "command", "value": "make test"}],
    }


def shown(office: Office, issue_id: str) -> Body:
    return office.call("issues.get", {"id": issue_id, "include": {"description": True}})


def test_every_field_can_be_set(office: Office) -> None:
    issue_id, wanted = an_issue(office), values(office)

    update(office, issue_id, title="Mend it", priority="LOW", artifactRequired=True, **wanted)

    read = shown(office, issue_id)
    assert (read["title"], read["priority"], read["artifactRequired"]) == ("Mend it", "LOW", True)
    assert read["verificationChecklist"] == [CHECK]
    assert read["dueDate"].startswith("2100-01-31T12:00:00")
    for name in ("description", "projectId", "cycleId", "parentId", "estimate", "expectedOutput"):
        assert read[name] == wanted[name]


@pytest.mark.parametrize(
    "field",
    [
        "description",
        "projectId",
        "cycleId",
        "parentId",
        "dueDate",
        "estimate",
        "expectedOutput",
        "verificationChecklist",
    ],
)
def test_clear_empties_a_field_and_leaves_the_others(office: Office, field: str) -> None:
    issue_id = an_issue(office)
    update(office, issue_id, **values(office))
    before = shown(office, issue_id)

    update(office, issue_id, clear=[field])

    empty: object = [] if field == "verificationChecklist" else None
    cleared = {field: empty} | ({"project": None} if field == "projectId" else {})
    assert shown(office, issue_id) == before | cleared
    assert last(office, EventKind.ISSUE_UPDATED).payload == {field: empty}


@pytest.mark.parametrize("nothing", [None, "null", [None]])
def test_an_adapter_that_fills_everything_with_null_erases_nothing(office: Office, nothing: object) -> None:
    issue_id, wanted = an_issue(office), values(office)
    update(office, issue_id, **wanted)
    before = shown(office, issue_id)

    update(office, issue_id, **dict.fromkeys((*wanted, "title", "artifactRequired", "clear"), nothing))

    assert shown(office, issue_id) == before


def test_the_answer_is_the_issue_as_it_became(office: Office) -> None:
    issue_id, project_id = an_issue(office), a_project(office)
    office.world.clock.advance(minutes=1)

    answer = update(office, issue_id, title="Mend it", projectId=project_id, description="Why")

    assert shown(office, issue_id).items() >= answer.items()
    assert head(office, issue_id).updated_at == now(office)


def test_what_is_not_mentioned_is_in_the_answer_too(office: Office) -> None:
    issue_id = an_issue(office, description="Mine")

    assert update(office, issue_id, title="Mend it")["description"] == "Mine"


@pytest.mark.parametrize("again", [False, True])
def test_what_is_so_already_is_not_written(office: Office, again: bool) -> None:
    issue_id, wanted = an_issue(office, "One"), values(office)
    update(office, issue_id, title="One", **wanted)
    before, rows = (head(office, issue_id), body(office, issue_id)), len(office.log())
    office.world.clock.advance(minutes=1)

    update(office, issue_id, **({"title": " One ", **wanted} if again else {}))

    assert (head(office, issue_id), body(office, issue_id)) == before
    assert len(office.log()) == rows


def test_a_text_of_more_than_a_hundred_kilobytes_is_kept_elsewhere(office: Office) -> None:
    issue_id, text = an_issue(office, description="Short"), "語" * 50_000

    update(office, issue_id, description=text)
    long = body(office, issue_id).description
    update(office, issue_id, description="Short again")

    assert long is not None
    assert long.blob is not None
    assert description(office, issue_id) == "Short again"


def test_a_text_alone_makes_the_issue_news(office: Office) -> None:
    older, newer = an_issue(office), an_issue(office)
    office.world.clock.advance(seconds=5)

    update(office, older, description="More")

    rows = office.rows("issues.list", {"orderBy": "updatedAt"})
    assert [row["id"] for row in rows] == [older, newer]
    assert head(office, older).updated_at == now(office)


def test_moving_between_projects_moves_the_counts(office: Office) -> None:
    first, second = a_project(office, "ONE"), a_project(office, "TWO")
    issue_id, backlog = an_issue(office, projectId=first), f"S#{status_id(office, 'BACKLOG')}"

    update(office, issue_id, projectId=second)
    moved = counts(office, f"issues#{first}"), counts(office, f"issues#{second}")
    update(office, issue_id, clear=["projectId"])

    assert moved == ({}, {backlog: 1})
    assert counts(office, f"issues#{second}") == {}
    assert counts(office) == {backlog: 1}
    assert listed(office, {"projectId": second}) == set()


def test_no_issue_moves_to_an_archived_project_but_one_may_stay_there(office: Office) -> None:
    archived = a_project(office)
    inside, outside = an_issue(office, projectId=archived), an_issue(office)
    office.call("projects.archive", {"id": archived})

    assert refused(office, outside, projectId=archived)[:2] == (409, "conflict")
    assert update(office, inside, projectId=archived, title="Two")["title"] == "Two"
