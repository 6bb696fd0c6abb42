"""A desk holds what was read for a call: what is not on it raises, and what is hidden is not shown."""

import pytest

from forge.context import Narrowing
from forge.contract.terms import EXECUTE_ONLY, EngagementMode
from forge.errors import Forbidden, ModeForbidden, NotFound
from forge.store.readings import NeverRead
from forge.testing.builders import WORKSPACE_ID, a_caller, a_desk, a_run, a_workspace, an_agent, an_issue
from forge.testing.clock import NOON
from forge.work.issues.desks import Reference, may_see
from forge.work.issues.issues import IssueItem
from forge.work.workspace.people.agents import AgentItem
from tests.workshop.outcomes import at_work

OTHER = an_issue(id="iss_2", project_id="prj_2")
MISSING = NotFound("There is none.")
NARROWED = a_caller(narrowing=Narrowing(project_ids=frozenset({"prj_1"})))


def test_the_issue_the_settings_and_what_was_fetched_are_on_it() -> None:
    desk = a_desk(an_issue(), holding=[an_agent(), OTHER])

    assert (desk.issue, desk.workspace) == (an_issue(), a_workspace())
    assert desk.find(AgentItem, an_agent().key) == desk.get(AgentItem, an_agent().key) == an_agent()
    assert (desk.has(an_agent().key), desk.other("iss_2")) == (True, OTHER)


def test_what_was_never_fetched_raises_however_it_is_asked_for() -> None:
    desk, key = a_desk(an_issue()), an_agent().key

    for ask in (
        lambda: desk.find(AgentItem, key),
        lambda: desk.get(AgentItem, key),
        lambda: desk.has(key),
        lambda: desk.names.agent("agt_worker"),
        lambda: desk.other("iss_2"),
        lambda: desk.visible("iss_2"),
        lambda: desk.beside("iss_2", missing=MISSING),
        lambda: desk.fetch([key]),
        lambda: desk.fetch([], issue_ids=["iss_2"]),
    ):
        with pytest.raises(NeverRead):
            ask()


def test_another_issue_that_is_not_there_is_missing() -> None:
    desk = a_desk(an_issue(), knowing_absent=[IssueItem.at(WORKSPACE_ID, "iss_2")])

    assert (desk.other("iss_2"), desk.visible("iss_2")) == (None, None)
    with pytest.raises(NotFound):
        desk.beside("iss_2", missing=MISSING)


def test_another_issue_that_the_key_may_not_see_follows_but_is_neither_shown_nor_changed() -> None:
    desk = a_desk(an_issue(project_id="prj_1"), caller=NARROWED, holding=[OTHER])

    assert (desk.other("iss_2"), desk.visible("iss_2")) == (OTHER, None)
    with pytest.raises(Forbidden):
        desk.beside("iss_2", missing=MISSING)


def test_a_deleted_issue_is_changed_along_but_not_shown() -> None:
    deleted = OTHER.changed(deleted_at=NOON)
    desk = a_desk(an_issue(), holding=[deleted])

    assert (desk.beside("iss_2", missing=MISSING), desk.visible("iss_2")) == (deleted, None)
    assert not may_see(desk.ctx, deleted)


def test_another_issue_is_changed_along_only_in_a_mode_that_allows_it() -> None:
    discussed = at_work(OTHER, a_run(engagement_mode=EngagementMode.DISCUSS))
    desk = a_desk(an_issue(), caller=a_caller(agent_id="agt_worker"), holding=[discussed])
    desk.ctx.modes = EXECUTE_ONLY

    with pytest.raises(ModeForbidden):
        desk.beside("iss_2", missing=MISSING)


@pytest.mark.parametrize(
    ("prefix", "is_ours"), [(None, True), ("DEMO", True), ("demo", True), ("ELSE", False)]
)
def test_an_identifier_is_of_the_workspace_whose_prefix_it_has(prefix: str | None, is_ours: bool) -> None:
    assert Reference("iss_1", prefix).is_of(a_workspace()) is is_ours


def test_a_desk_without_its_workspace_is_of_one_that_is_gone() -> None:
    with pytest.raises(NotFound):
        a_desk(an_issue(), workspace=a_workspace(id="ws_2"), knowing_absent=[a_workspace().key])
