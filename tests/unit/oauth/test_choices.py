"""What may be chosen, and what was, is held to what its person may: whatever stood on a page."""

from datetime import timedelta

import pytest

from forge.context import UNRESTRICTED, Narrowing, Role
from forge.errors import Forbidden
from forge.testing.builders import a_caller, a_project, a_workspace
from forge.testing.clock import NOON
from forge.work.workspace.people.agents import AgentProvider
from forge.work.workspace.people.members import MemberItem
from forge.work.workspace.signins.signins import SignInItem, Way
from functions.oauth import choices
from functions.oauth.choices import Offer
from functions.oauth.forms import Form
from functions.oauth.persons import Person

READS = frozenset({"READ_ISSUES"})


def a_person(narrowing: Narrowing = UNRESTRICTED) -> Person:
    workspace = a_workspace()
    sign_in = SignInItem(
        secret_hash="h",
        workspace_id=workspace.id,
        user_id="usr_1",
        way=Way.KEY,
        key_id="key_1",
        key_hash="k",
        created_at=NOON,
        expires_at=NOON + timedelta(hours=12),
    )
    member = MemberItem(
        workspace_id=workspace.id, user_id="usr_1", email="a@b.example", role=Role.MEMBER, created_at=NOON
    )
    caller = a_caller(scopes=READS, role=Role.MEMBER, narrowing=narrowing)
    return Person(sign_in, caller, member, workspace)


def test_a_page_that_offers_too_much_gives_no_more_than_its_person_may() -> None:
    offered = Offer(["READ_ISSUES", "WRITE_ISSUES"], [], False, [])
    form = Form(scope=["READ_ISSUES", "WRITE_ISSUES"], days=["30"], **{"as": ["me"]})

    with pytest.raises(Forbidden):
        choices.choose(a_person(), offered, form, NOON)

    assert choices.choose(a_person(), offered, Form(form | {"scope": ["READ_ISSUES"]}), NOON).scopes == READS


@pytest.mark.parametrize(
    ("own", "is_offered"),
    [
        (UNRESTRICTED, True),
        (Narrowing(project_ids=frozenset({"prj_1"})), True),
        (Narrowing(project_ids=frozenset({"prj_2"})), False),
        (Narrowing(label_ids=frozenset({"lab_1"})), False),
        (Narrowing(issue_ids=frozenset({"iss_1"})), False),
    ],
)
def test_who_does_not_see_a_project_gives_none_of_it_away(own: Narrowing, is_offered: bool) -> None:
    offered = choices.offer(a_person(own), READS, [], [a_project(id="prj_1")])

    assert [one.id for one in offered.projects] == ["prj_1"] * is_offered


@pytest.mark.parametrize(
    ("name", "provider"),
    [
        ("Claude Code (forge)", AgentProvider.CLAUDE),
        ("Codex", AgentProvider.CODEX),
        ("ChatGPT", AgentProvider.CODEX),
        ("Cursor", AgentProvider.CUSTOM),
    ],
)
def test_an_agent_is_of_whoever_made_its_program(name: str, provider: AgentProvider) -> None:
    assert choices.provider_of(name) is provider
