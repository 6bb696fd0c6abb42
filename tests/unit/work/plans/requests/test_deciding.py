"""Who may decide, to what a yes is one, and what is written down."""

import pytest

from forge.context import Caller, Role
from forge.errors import Conflict, Forbidden
from forge.testing.builders import USER_ID, a_caller
from forge.testing.clock import NOON
from forge.work.plans.requests import deciding
from forge.work.plans.requests.requests import RequestStatus
from forge.work.workspace.people.members import MemberItem
from tests.unit.work.plans.requests.asked import a_request, texts_of

ASSIGNED = a_request(assigned_user_id=USER_ID)


@pytest.mark.parametrize(
    ("caller", "is_watching"),
    [
        (a_caller(), False),
        (a_caller(user_id="usr_2", role=Role.OWNER), False),
        (a_caller(user_id="usr_2", role=Role.ADMIN), False),
        (a_caller(user_id="usr_2", role=Role.GUEST), True),
    ],
)
def test_the_assignee_admins_and_watchers_decide(caller: Caller, is_watching: bool) -> None:
    deciding.require_may_decide(caller, ASSIGNED, is_watching=is_watching)


def test_nobody_else_decides_and_what_is_for_nobody_is_not_for_a_key_without_a_user() -> None:
    for caller, request in (
        (a_caller(user_id="usr_2"), ASSIGNED),
        (a_caller(agent_id="agt_1"), a_request()),
        (a_caller(user_id=None, role=None), a_request()),
    ):
        with pytest.raises(Forbidden):
            deciding.require_may_decide(caller, request, is_watching=False)


def test_an_agents_key_is_the_agent_and_not_its_owner_when_a_vote_is_closed() -> None:
    by_agent, by_person = a_request(requested_by_agent_id="agt_1"), a_request(requested_by_user_id=USER_ID)

    deciding.require_requester(a_caller(agent_id="agt_1"), by_agent)
    deciding.require_requester(a_caller(), by_person)

    for caller, request in (
        (a_caller(), by_agent),
        (a_caller(agent_id="agt_2"), by_agent),
        (a_caller(agent_id="agt_1", user_id=USER_ID), by_person),
        (a_caller(user_id=None, role=None), a_request()),
    ):
        with pytest.raises(Forbidden):
            deciding.require_requester(caller, request)


def test_only_an_open_request_is_decided() -> None:
    deciding.require_open(a_request())

    for status in set(RequestStatus) - {RequestStatus.OPEN}:
        with pytest.raises(Conflict):
            deciding.require_open(a_request(status=status))


def test_whatever_is_shown_is_in_the_hash_and_nothing_else_is() -> None:
    request, texts = a_request(), texts_of(body="Why")
    shown = deciding.shown_hash(request, texts)

    same = [request.changed(status=RequestStatus.SNOOZED), request.changed(assigned_user_id="usr_9")]
    assert {deciding.shown_hash(one, texts) for one in same} == {shown}
    assert deciding.shown_hash(request.changed(title="Other"), texts) != shown
    assert deciding.shown_hash(request, texts.changed(body="Why not")) != shown
    assert deciding.shown_hash(request, texts, source_state="v2") != shown


def test_a_yes_to_something_else_is_refused() -> None:
    texts = texts_of(body="Why")
    request = a_request()
    request = request.changed(shown_hash=deciding.shown_hash(request, texts, source_state="v1"))

    deciding.require_shown(request, texts, given=None, state="v1")
    deciding.require_shown(request, texts, given=request.shown_hash, state="v1")

    for given, state in ((None, "v2"), (request.shown_hash, "v2"), ("another", "v1")):
        with pytest.raises(Conflict):
            deciding.require_shown(request, texts, given=given, state=state)


def test_who_was_shown_what_it_became_may_say_yes_to_that() -> None:
    texts = texts_of(body="Why")
    request = a_request()
    request = request.changed(shown_hash=deciding.shown_hash(request, texts, source_state="v1"))
    shown_later = deciding.shown_hash(request, texts, source_state="v2")

    deciding.require_shown(request, texts, given=shown_later, state="v2")

    with pytest.raises(Conflict):
        deciding.require_shown(request, texts, given=shown_later, state="v3")


def test_a_decision_says_who_and_why_as_far_as_they_are_known() -> None:
    member = MemberItem(
        workspace_id="ws_1", user_id=USER_ID, email="ada@x.example", role=Role.MEMBER, created_at=NOON
    )

    assert deciding.accepted_by(member.changed(handle="ada", name="Ada"), "Go.") == "Accepted by @ada — Go."
    assert deciding.accepted_by(member.changed(name="Ada"), None) == "Accepted by Ada"
    assert deciding.settled_by(member, "declined", "No.") == "Declined by operator: No."
    assert deciding.settled_by(None, "declined", None) == "Declined by operator"
