"""People sign in with an account elsewhere: by invitation or domain, and as what their groups make them."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from forge.work.workspace.people import members
from forge.work.workspace.signins import accounts
from tests.unit.oauth.people.team import SESSION, TOKEN, Team
from tests.unit.work.background.erasures.leavers import work


def the_reason(team: Team) -> str:
    rows = team.audited(outcome="failure")
    assert len(rows) == 1, rows
    return str(rows[0]["code"])


def test_who_was_invited_is_signed_in_and_sent_on(team: Team) -> None:
    team.invite()
    team.account()

    page = team.sign_in()

    assert page.url.endswith("/console")
    assert team.is_signed_in
    assert team.me()["slug"] == team.desk.workspace.slug


def test_the_session_is_a_key_that_lists_show_and_revoking_ends(team: Team) -> None:
    invited = team.invite()
    team.account()
    team.sign_in()

    (key,) = team.desk.keys("Browser")
    assert (key["kind"], key["userId"]) == ("SESSION", invited["id"])
    assert "ADMIN" not in key["scopes"]

    team.desk.admin("keys.revoke", id=key["id"])
    assert team.called("workspace.get").status == 401


def test_the_audit_shows_who_signed_in(team: Team) -> None:
    invited = team.invite()
    team.account()
    team.sign_in()

    (row,) = team.audited(tool="oauth.sign-in", entity="key")

    assert row["actor"]["userId"] == invited["id"]


def test_whose_domain_is_allowed_becomes_a_member(team: Team) -> None:
    team.rule(signInDomains=[team.domain.upper()], signInRole="GUEST")
    team.account(name="ada")

    team.sign_in()

    found = team.member()
    assert found is not None
    assert (found["role"], found["name"]) == ("GUEST", None)
    assert team.audited(entity="membership", action="create", tool="oauth.sign-in")
    (key,) = team.desk.keys("Browser")
    assert "WRITE_ISSUES" not in key["scopes"]


def test_signing_in_again_is_the_same_person_whatever_their_address_is_now(team: Team) -> None:
    team.rule(signInDomains=[team.domain])
    team.account()
    team.sign_in()
    team.another_browser()
    team.account(email="ada@married.example", email_verified=False)

    team.sign_in(workspace="")

    assert team.is_signed_in
    assert len(team.desk.admin("members.list")["data"]) == 2


@pytest.mark.parametrize(
    ("claims", "reason"),
    [
        ({"email_verified": False}, "unverified-address"),
        ({"email": None}, "unverified-address"),
        ({"email": "ada@elsewhere.example"}, "not-invited"),
    ],
)
def test_who_is_neither_invited_nor_of_the_domain_stays_outside(
    team: Team, claims: dict[str, Any], reason: str
) -> None:
    team.rule(signInDomains=[team.domain])
    team.account(**claims)

    page = team.sign_in()

    assert page.status == 403
    assert team.browser.cookies == {}
    assert the_reason(team) == reason
    assert len(team.desk.admin("members.list")["data"]) == 1


def test_an_unverified_address_takes_over_no_invitation(team: Team) -> None:
    team.invite(role="ADMIN")
    team.account(email_verified=False)

    assert team.sign_in().status == 403
    assert not team.is_signed_in


def test_a_refusal_tells_of_an_address_no_more_than_it_has_to(team: Team) -> None:
    team.account()
    team.sign_in()

    (row,) = team.audited(outcome="failure")

    assert row["params"]["address"] == f"a…@{team.domain}"


def test_who_was_removed_does_not_come_back_by_their_domain(team: Team) -> None:
    team.rule(signInDomains=[team.domain])
    team.account()
    team.sign_in()
    found = team.member()
    assert found is not None

    team.desk.admin("members.remove", userId=found["id"])

    assert team.called("workspace.get").status in (401, 403)
    team.another_browser()
    assert team.sign_in().status == 403
    assert the_reason(team) == "removed"
    team.account(sub="a new account")
    team.another_browser()
    assert team.sign_in().status == 403

    team.account()
    team.invite()
    assert team.sign_in().url.endswith("/console")


def test_an_address_that_somebody_else_has_now_leads_to_nobody(team: Team) -> None:
    team.invite()
    team.account()
    team.sign_in()
    team.another_browser()
    team.account(sub="somebody else")

    assert team.sign_in().status == 403
    assert the_reason(team) == "another-account"


def test_who_names_no_workspace_is_asked_and_later_goes_where_they_were(team: Team) -> None:
    team.invite()
    team.account()

    page = team.sign_in(workspace="")

    assert page.status == 200
    assert 'name="workspace"' in page.text
    assert team.browser.cookies.keys() == {"__Host-forge_oidc"}

    team.sign_in()
    team.another_browser()
    team.sign_in(workspace="")
    assert team.is_signed_in


def test_a_workspace_that_is_not_there_is_told_like_one_that_is_closed(team: Team) -> None:
    team.account()

    assert team.sign_in(workspace="no-such").status == 403


def test_who_signs_in_anew_leaves_no_session_behind(team: Team) -> None:
    team.invite()
    team.account()
    team.sign_in()
    before = dict(team.browser.cookies)

    team.sign_in()

    assert team.browser.cookies[SESSION] != before[SESSION]
    live = [key for key in team.desk.keys("Browser") if key["revokedAt"] is None]
    assert len(live) == 1
    team.browser.cookies = before
    assert team.called("workspace.get").status == 401


def test_a_workspace_that_is_being_deleted_lets_nobody_in(team: Team) -> None:
    team.invite()
    team.account()
    team.desk.admin("workspaces.delete", confirm=team.desk.workspace.slug)

    assert team.sign_in().status == 403
    assert TOKEN not in team.browser.cookies


def test_who_was_erased_is_no_stranger_and_nothing_tells_which_account_was_theirs(team: Team) -> None:
    team.rule(signInDomains=[team.domain])
    team.account()
    team.sign_in()
    found = team.member()
    assert found is not None
    world = team.desk.world
    table = world.services.store.table
    assert list(accounts.keys_of_user(table, found["id"]))

    team.desk.admin("members.erase", userId=found["id"])
    world.clock.advance(minutes=2)
    assert work(world, world.services.store, team.desk.workspace.id, found["id"])

    assert not list(accounts.keys_of_user(table, found["id"]))
    team.another_browser()
    assert team.sign_in().status == 403
    assert the_reason(team) == "removed"
    team.invite()
    assert team.sign_in().url.endswith("/console")


def test_two_first_sign_ins_at_once_are_one_person(team: Team) -> None:
    team.rule(signInDomains=[team.domain])
    team.account()
    browsers = [team.another_browser() for _ in range(4)]
    asked = []
    for browser in browsers:
        team.browser = browser
        asked.append(team.depart())

    def come_back(number: int) -> int:
        answer = dict(parse_qsl(urlsplit(team.there.authorize(asked[number])).query))
        return browsers[number].open(f"/oauth/oidc/callback?{urlencode(answer)}").status

    with ThreadPoolExecutor(4) as threads:
        # The console's page is nothing that this world serves.
        assert {*threads.map(come_back, range(4))} == {404}

    assert all(SESSION in browser.cookies for browser in browsers)
    people = [one for one in team.desk.admin("members.list")["data"] if one["email"] == team.address("ada")]
    assert len(people) == 1
    live = [key for key in team.desk.keys("Browser") if key["revokedAt"] is None]
    assert {key["userId"] for key in live} == {people[0]["id"]}


def test_an_address_that_only_looks_like_somebodys_is_not_theirs(team: Team) -> None:
    """In lower case, the sign of kelvin is a k."""
    team.rule(signInDomains=[team.domain])
    team.invite("kim", role="ADMIN")
    team.account(sub="somebody else", email=team.address("\u212aim"))

    assert team.sign_in().status == 403
    assert the_reason(team) == "another-account"

    team.account("kim", email=team.address("KIM"))
    assert team.sign_in().url.endswith("/console")


def test_a_full_workspace_takes_no_stranger_and_keeps_its_members(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    team.rule(signInDomains=[team.domain])
    team.invite("grace")
    monkeypatch.setattr(members, "MAX_MEMBERS", 2)

    team.account()
    assert team.sign_in().status == 403
    team.account("grace")
    assert team.sign_in().url.endswith("/console")

    assert [row["code"] for row in team.audited(outcome="failure")] == ["workspace-full"]
