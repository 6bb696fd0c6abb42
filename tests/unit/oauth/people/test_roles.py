"""What groups at the provider make of people, and what they do not."""

import pytest

from tests.unit.oauth.people.team import Team
from tests.unit.oauth.programs import Program, read


def test_a_group_raises_a_role_and_whoever_loses_it_is_lowered_with_all_their_keys(team: Team) -> None:
    team.rule(signInGroups=[{"group": "ops", "role": "ADMIN"}])
    team.invite(role="GUEST")
    team.account(groups=["ops"])
    team.sign_in()

    assert team.member() is not None
    assert team.called("members.list").status == 200
    assert team.audited(action="setRole", tool="oauth.sign-in")

    first = team.browser
    team.another_browser()
    team.account(groups=[])
    team.sign_in()
    found = team.member()
    assert found is not None
    assert (found["role"], found.get("givenRole")) == ("GUEST", None)
    team.browser = first
    assert team.called("members.list").status == 403


def test_no_group_makes_an_owner_and_nobody_maps_one(team: Team) -> None:
    refused = team.desk.world.admin(
        "workspaces.update",
        {"signInGroups": [{"group": "ops", "role": "OWNER"}]},
        key=team.desk.owner_key,
    )

    assert refused.status == 400


def test_a_role_that_was_given_by_hand_stays_without_groups(team: Team) -> None:
    team.rule(signInGroups=[{"group": "ops", "role": "ADMIN"}])
    invited = team.invite(role="GUEST")
    team.account(groups=["ops"])
    team.sign_in()

    team.desk.admin("members.setRole", userId=invited["id"], role="ADMIN")
    team.account(groups=[])
    team.sign_in()

    found = team.member()
    assert found is not None
    assert found["role"] == "ADMIN"


@pytest.mark.parametrize("acts_as", ["me", "an agent"])
def test_a_guest_who_has_signed_in_only_reads_from_the_next_call_on(team: Team, acts_as: str) -> None:
    invited = team.invite(role="ADMIN")
    agent = team.desk.admin("agents.create", profileKey="a", name="A", provider="CLAUDE")
    team.account()
    team.sign_in()
    program = Program(team.desk)
    whom = {"me": "me", "an agent": agent["id"]}[acts_as]
    page = team.browser.submit(team.browser.open(program.url()), {"answer": "yes", "as": whom})
    tokens = read(program.exchange(page.query["code"]))
    issue = {"title": "By whoever is let"}
    assert team.called("issues.create", issue).status == 200

    team.desk.admin("members.setRole", userId=invited["id"], role="GUEST")

    assert team.called("issues.create", issue).status == 403
    assert team.called("issues.list").status == 200
    for one in (tokens, read(program.refresh(tokens.refresh))):
        written = team.desk.world.call("issues_create", issue, key=one.access, path="/mcp")
        assert written["structuredContent"]["error"] == "scope_required"
        listed = team.desk.world.call("issues_list", {}, key=one.access, path="/mcp")
        assert listed["isError"] is False
