"""What others try with a sign-in that is not theirs: all of it is refused, and nothing is left behind."""

from typing import Any

import jwt
import pytest

from forge.testing.openid import OpenIdProvider, SigningKey
from functions.oauth.people import attempts
from tests.unit.oauth.desk import ORIGIN
from tests.unit.oauth.people.team import SESSION, TOKEN, Team


@pytest.fixture
def invited(team: Team) -> Team:
    team.invite()
    team.account()
    return team


@pytest.mark.parametrize(
    ("claims", "flaw"),
    [
        ({"aud": "somebody-else"}, "wrong-audience"),
        ({"azp": "somebody-else"}, "wrong-audience"),
        ({"iss": "https://evil.example"}, "wrong-issuer"),
        ({"nonce": "another"}, "wrong-nonce"),
        ({"exp": 1}, "expired-token"),
    ],
)
def test_a_token_that_is_not_for_this_sign_in_opens_nothing_and_is_in_the_audit(
    invited: Team, claims: dict[str, Any], flaw: str
) -> None:
    invited.there.more |= claims

    page = invited.sign_in()

    assert page.status == 403
    assert invited.browser.cookies == {}
    assert [row["code"] for row in invited.audited(outcome="failure")] == [flaw]


def test_a_token_that_somebody_else_has_signed_opens_nothing(
    invited: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    stranger = SigningKey("first")

    def forged(*, nonce: str, now: float | None = None, **claims: Any) -> str:
        there = invited.there
        made = there.now()
        said = {"iss": there.issuer, "aud": there.client_id, "nonce": nonce, "iat": made, "exp": made + 60}
        return jwt.encode(said | there.account, stranger.private, "ES256", headers={"kid": "first"})

    monkeypatch.setattr(invited.there, "id_token", forged)

    assert invited.sign_in().status == 403
    assert not invited.is_signed_in


@pytest.mark.parametrize("algorithm", ["none", "HS256"])
def test_a_token_that_anybody_can_make_opens_nothing(
    invited: Team, monkeypatch: pytest.MonkeyPatch, algorithm: str
) -> None:
    def forged(*, nonce: str, now: float | None = None, **claims: Any) -> str:
        there = invited.there
        said = {"iss": there.issuer, "aud": there.client_id, "nonce": nonce, "exp": there.now() + 60}
        secret = "" if algorithm == "none" else there.client_secret * 3
        return jwt.encode(said | there.account, secret, algorithm)

    monkeypatch.setattr(invited.there, "id_token", forged)

    assert invited.sign_in().status == 403
    assert not invited.is_signed_in


def test_keys_that_the_provider_has_changed_are_learned(invited: Team, there: OpenIdProvider) -> None:
    there.rotate()
    invited.desk.world.clock.advance(minutes=2)

    assert invited.sign_in().url.endswith("/console")


def test_an_answer_is_taken_once(invited: Team) -> None:
    asked = invited.depart()
    kept = dict(invited.browser.cookies)
    assert invited.come_back(asked).url.endswith("/console")

    invited.another_browser().cookies = kept
    again = invited.come_back(asked)

    assert again.status == 409
    assert not invited.is_signed_in
    assert [row["code"] for row in invited.audited(outcome="failure")] == ["replayed-answer"]


def test_a_code_that_was_used_gives_nothing(invited: Team) -> None:
    asked = invited.depart()
    kept = dict(invited.browser.cookies)
    invited.come_back(asked, code="made-up")

    assert not invited.is_signed_in
    assert invited.audited(outcome="failure") == []
    invited.browser.cookies = kept
    assert invited.come_back(asked).url.endswith("/console")


def test_nobody_is_signed_in_by_an_answer_that_another_browser_began(invited: Team) -> None:
    """Login CSRF: the attacker's own answer, in somebody else's browser."""
    asked = invited.depart()
    invited.another_browser()

    refused = invited.come_back(asked)
    assert refused.status == 403
    assert '<a href="/oauth/sign-in">' in refused.text
    assert invited.browser.cookies == {}

    mine = invited.depart()
    assert mine["state"] != asked["state"]
    assert invited.come_back(asked).status == 403
    assert not invited.is_signed_in


def test_a_state_is_good_for_ten_minutes(invited: Team) -> None:
    asked = invited.depart()
    invited.desk.world.clock.advance(minutes=11)

    assert invited.come_back(asked).status == 403


def test_what_the_browser_keeps_is_signed(invited: Team) -> None:
    asked = invited.depart()
    (name,) = invited.browser.cookies
    head, body, _ = invited.browser.cookies[name].split(".")

    for forged in (f"{head}.{body}.", f"{head}.{body}.AAAA", "x", ""):
        invited.browser.cookies = {name: forged}
        assert invited.come_back(asked).status == 403


def test_a_code_without_its_verifier_is_nothing(invited: Team) -> None:
    """Two sign-ins of one browser, the code of the first in the answer to the second."""
    first = invited.depart()
    code = invited.there.authorize(first).partition("code=")[2].partition("&")[0]
    second = invited.depart()

    assert invited.come_back(second, code=code).status == 403
    assert not invited.is_signed_in


def test_an_answer_that_says_it_is_another_providers_is_not_taken(invited: Team) -> None:
    assert invited.come_back(invited.depart(), iss="https://evil.example").status == 403
    assert [row["code"] for row in invited.audited(outcome="failure")] == ["another-provider"]
    assert invited.come_back(invited.depart(), iss=invited.there.issuer).url.endswith("/console")


def test_who_promises_to_say_who_it_is_says_it(invited: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = invited.there.metadata()
    promised = usual | {"authorization_response_iss_parameter_supported": True}
    monkeypatch.setattr(invited.there, "metadata", lambda: promised)
    invited.desk.world.clock.advance(hours=2)

    assert invited.come_back(invited.depart()).status == 403
    assert invited.come_back(invited.depart(), iss=invited.there.issuer).url.endswith("/console")

    monkeypatch.undo()
    invited.desk.world.clock.advance(hours=2)


def test_a_session_that_was_planted_before_is_not_the_one_that_is_signed_in(invited: Team) -> None:
    """Session fixation."""
    planted = {SESSION: "forge_sk_" + "x" * 43, TOKEN: "x", "__Host-forge_signin": "planted"}
    invited.browser.cookies = dict(planted)

    invited.sign_in()

    assert not planted.items() & invited.browser.cookies.items()


@pytest.mark.parametrize(
    "onward",
    ["https://evil.example", "//evil.example", "/\\evil.example", "/console\r\nx: y", "javascript:1"],
)
def test_nobody_is_sent_to_another_host_afterwards(invited: Team, onward: str) -> None:
    page = invited.come_back(invited.depart(onward))

    assert page.url == f"{ORIGIN}/oauth/grants"


def test_a_provider_that_says_no_signs_nobody_in(invited: Team) -> None:
    page = invited.come_back(invited.depart(), error="access_denied<script>")

    assert page.status == 403
    assert "<script>" not in page.text


def test_a_provider_that_is_set_up_wrongly_is_said_so_on_a_page(
    invited: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = invited.there.metadata()
    monkeypatch.setattr(invited.there, "metadata", lambda: {**usual, "issuer": "https://another.example"})
    invited.desk.world.clock.advance(hours=2)

    page = invited.browser.open("/oauth/oidc/start?next=/console")

    assert page.status == 503
    assert "calls itself by another issuer" in page.text
    monkeypatch.undo()
    invited.desk.world.clock.advance(hours=2)


def test_an_attempt_is_ended_by_its_own_state_alone(invited: Team) -> None:
    tokens, now = invited.desk.world.services.tokens, invited.desk.world.clock()
    attempt = attempts.begin("/console", "acme")
    kept = attempts.sealed(attempt, tokens, now)

    assert attempts.unsealed(kept, attempt.state, tokens, now) == attempt
    for state in ("", "x", attempts.begin("/console", "acme").state):
        assert attempts.unsealed(kept, state, tokens, now) is None
