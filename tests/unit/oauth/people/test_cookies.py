"""The console's cookie: it counts for what the console itself sent, and for nothing else."""

from typing import Any

import pytest

from forge.wire import cookies
from tests.unit.oauth.desk import ORIGIN
from tests.unit.oauth.people.team import SESSION, TOKEN, Team


@pytest.fixture
def invited(team: Team) -> Team:
    team.invite()
    team.account()
    return team


@pytest.mark.parametrize(
    "headers",
    [
        {cookies.TOKEN_HEADER: ""},
        {cookies.TOKEN_HEADER: "0" * 64},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": ""},
        {"origin": f"{ORIGIN}.evil.example"},
        {"origin": ORIGIN.replace("https", "http")},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_cookie_counts_only_for_what_the_console_sent(invited: Team, headers: dict[str, str]) -> None:
    invited.sign_in()

    for tool in ("workspace.get", "members.list"):
        assert invited.called(tool, **headers).status == 403


def test_another_sessions_token_is_no_token(invited: Team) -> None:
    invited.sign_in()
    theirs = invited.browser.cookies[TOKEN]
    invited.another_browser()
    invited.account("bob")
    invited.invite("bob")
    invited.sign_in()

    assert invited.called("workspace.get", **{cookies.TOKEN_HEADER: theirs}).status == 403


def test_two_cookies_of_one_name_are_nobodys(invited: Team) -> None:
    invited.sign_in()
    own = f"{SESSION}={invited.browser.cookies[SESSION]}"

    for planted in (f"{own}; {SESSION}=forge_sk_planted", f"{SESSION}=forge_sk_planted; {own}"):
        assert invited.called("workspace.get", cookie=planted).status == 401


@pytest.mark.parametrize("path", ["/api/mcp/rpc", "/mcp"])
def test_no_cookie_speaks_mcp(invited: Team, path: str) -> None:
    invited.sign_in()
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    headers = {
        "cookie": "; ".join(f"{name}={value}" for name, value in invited.browser.cookies.items()),
        cookies.TOKEN_HEADER: invited.browser.cookies[TOKEN],
        "origin": ORIGIN,
        "sec-fetch-site": "same-origin",
    }

    assert invited.desk.world.send(message, path=path, headers=headers).status == 401


def test_the_cookies_are_for_this_host_and_this_site_alone(invited: Team) -> None:
    asked = invited.depart()
    answer = invited.there.authorize(asked).partition("?")[2]
    query = dict(part.split("=", 1) for part in answer.split("&"))
    name, value = next(iter(invited.browser.cookies.items()))

    said = invited.desk.world.send(
        "", method="GET", path="/oauth/oidc/callback", headers={"cookie": f"{name}={value}"}, query=query
    ).headers["set-cookie"]

    session, token = (
        next(line for line in said.splitlines() if line.startswith(f"{name}=")) for name in (SESSION, TOKEN)
    )
    for line in (session, token):
        assert all(word in line for word in ("__Host-", "Path=/;", "SameSite=Strict", "; Secure"))
        assert "Domain" not in line
    assert "HttpOnly" in session
    assert "forge_sk_" not in token


def exchanged(team: Team, key: str, **headers: str) -> Any:
    usual = {"authorization": f"Bearer {key}", "origin": ORIGIN, "sec-fetch-site": "same-origin"}
    given = {name: value for name, value in {**usual, **headers}.items() if value}
    return team.desk.world.send("", path="/oauth/session", headers=given)


def test_a_pasted_key_becomes_a_session_that_can_do_no_more(team: Team) -> None:
    narrow = team.desk.admin("keys.create", name="narrow", scopes=["READ_ISSUES"], expiresInDays=1)["rawKey"]

    answer = exchanged(team, narrow)

    assert answer.status == 200
    (made,) = team.desk.keys("Browser")
    assert (made["kind"], made["scopes"]) == ("SESSION", ["READ_ISSUES"])
    assert narrow not in answer.headers["set-cookie"]


def test_no_other_page_exchanges_a_key(team: Team) -> None:
    for origin in ("https://evil.example", "null"):
        assert exchanged(team, team.desk.owner_key, origin=origin).status == 403
    assert exchanged(team, "forge_sk_nonsense").status == 401
    assert exchanged(team, team.desk.owner_key, authorization="").status == 401


def left(team: Team, **headers: str) -> Any:
    usual = {
        "cookie": "; ".join(f"{name}={value}" for name, value in team.browser.cookies.items()),
        cookies.TOKEN_HEADER: team.browser.cookies.get(TOKEN, ""),
        "origin": ORIGIN,
    }
    return team.desk.world.send("", method="DELETE", path="/oauth/session", headers={**usual, **headers})


def test_signing_out_ends_the_key_and_takes_the_cookies(invited: Team) -> None:
    invited.sign_in()
    kept = dict(invited.browser.cookies)

    answer = left(invited)

    assert answer.status == 200
    assert all("Max-Age=0" in line for line in answer.headers["set-cookie"].splitlines())
    assert invited.called("workspace.get").status == 401
    invited.browser.cookies = kept
    assert left(invited).status == 200


def test_nobody_else_signs_somebody_out(invited: Team) -> None:
    invited.sign_in()

    assert left(invited, origin="https://evil.example").status == 403
    assert left(invited, **{cookies.TOKEN_HEADER: ""}).status == 403
    assert invited.called("workspace.get").status == 200


def test_signing_out_ends_no_key_that_was_merely_sent(invited: Team) -> None:
    key = invited.desk.admin("keys.create", name="laptop", scopes=["READ_ISSUES"])["rawKey"]

    for credential in (key, invited.desk.owner_key):
        answer = left(invited, cookie="", authorization=f"Bearer {credential}")

        assert answer.status == 200
        assert invited.desk.world.rest("issues.list", {}, key=credential).status == 200
        # Nor one that somebody wrote into a cookie.
        planted = {"cookie": f"{SESSION}={credential}", cookies.TOKEN_HEADER: cookies.token_of(credential)}
        assert left(invited, **planted).status == 200
        assert invited.desk.world.rest("issues.list", {}, key=credential).status == 200
