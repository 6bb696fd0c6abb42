"""What clients try that nobody knows: names, floods, and what is no request; nothing is stored in clear."""

import json
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.unit.oauth.desk import Desk
from tests.unit.oauth.programs import HERE, Program, error_of, post, read
from tests.unit.oauth.refused import nobody_was_sent


@pytest.mark.parametrize("name", ["<b>Forge</b>", '"><script>alert(1)</script>', "a\u202etxt", "' onload='x"])
def test_a_lying_name_is_shown_as_what_it_is(desk: Desk, name: str) -> None:
    desk.sign_in()
    page = Program(desk, client_name=name).question()

    assert "nobody has checked" in page.text
    assert "127.0.0.1" in page.text
    assert "any program" in page.text
    assert "<script" not in page.text
    assert "<b>" not in page.text
    assert "\u202e" not in page.text


def test_a_registration_is_held_to_its_form(desk: Desk) -> None:
    bad: list[Any] = [
        "[]",
        "{",
        {},
        {"redirect_uris": []},
        {"redirect_uris": ["http://evil.example/cb"]},
        {"redirect_uris": ["https://u:p@evil.example/cb"]},
        {"redirect_uris": ["https://evil.example/cb#x"]},
        {"redirect_uris": ["javascript:alert(1)"]},
        {"redirect_uris": ["data:text/html,x"]},
        {"redirect_uris": ["file:///etc/passwd"]},
        {"redirect_uris": [7]},
        {"redirect_uris": ["https://x.example/cb"] * 21},
        {"redirect_uris": [HERE], "application_type": "web"},
        {"redirect_uris": [HERE], "application_type": "desktop"},
        {"redirect_uris": [HERE], "grant_types": "authorization_code"},
        {"redirect_uris": [HERE], "grant_types": [["authorization_code"]]},
        {"redirect_uris": [HERE], "jwks": "x" * 20_000},
        {"redirect_uris": [HERE], "grant_types": ["client_credentials"]},
        {"redirect_uris": [HERE], "response_types": ["token"]},
        {"redirect_uris": [HERE], "token_endpoint_auth_method": "private_key_jwt"},
        {"redirect_uris": [HERE], "client_name": "x" * 201},
        {"redirect_uris": [HERE], "client_name": {"a": 1}},
    ]
    for told in bad:
        answer = desk.world.send(told, path="/oauth/register")
        assert answer.status == 400, told
        assert error_of(answer) in ("invalid_redirect_uri", "invalid_client_metadata")


@pytest.mark.parametrize(
    ("told", "application_type", "has_secret"),
    [
        ({}, "native", False),
        ({"application_type": "native"}, "native", False),
        ({"redirect_uris": ["https://app.example/cb"]}, "web", False),
        ({"token_endpoint_auth_method": "client_secret_basic"}, "native", True),
        ({"token_endpoint_auth_method": "client_secret_post"}, "native", True),
    ],
)
def test_a_registration_is_told_as_it_is_kept(
    desk: Desk, told: dict[str, Any], application_type: str, has_secret: bool
) -> None:
    registered = Program(desk, **told).registered

    assert registered["application_type"] == application_type
    assert ("client_secret" in registered) is has_secret


def test_registration_flood_ends_in_429_and_what_nobody_used_ends_in_a_day(desk: Desk) -> None:
    program = Program(desk)
    told = json.dumps({"redirect_uris": [HERE]})
    source = {"x-forwarded-for": "198.51.100.7, 203.0.113.9"}
    statuses = [desk.world.send(told, path="/oauth/register", headers=source).status for _ in range(62)]

    refused = desk.world.send(told, path="/oauth/register", headers=source)

    assert statuses.count(201) == 60
    assert refused.status == 429
    assert int(refused.headers["retry-after"]) > 0
    desk.world.clock.advance(days=1, seconds=1)
    assert nobody_was_sent(program.question())


def test_a_client_that_somebody_let_in_is_known_for_longer(desk: Desk) -> None:
    program = Program(desk)
    tokens = program.tokens()

    desk.world.clock.advance(days=20)

    assert program.refresh(tokens.refresh).status == 200


def test_nothing_that_was_given_is_stored_as_it_is(desk: Desk) -> None:
    program = Program(desk)
    desk.sign_in()
    code = program.let_in().query["code"]
    tokens = read(program.exchange(code))
    following = read(program.refresh(tokens.refresh))

    table = desk.world.services.store.table
    stored = json.dumps(table.client.ask("Scan", {"TableName": table.name})["Items"], default=str)

    secrets = [code, tokens.access, tokens.refresh, following.access, following.refresh]
    secrets += [*desk.browser.cookies.values(), desk.owner_key]
    assert [one for one in secrets if one in stored] == []
    assert [one for one in secrets if one in "".join(desk.world.log)] == []


@pytest.mark.parametrize("path", ["/oauth/token", "/oauth/revoke", "/oauth/register"])
@pytest.mark.parametrize(
    "body", ["", "%ff%fe", "a=b&" * 400, "\x00", "é", "{", urlencode({"a": "x" * 70000})]
)
def test_what_is_no_request_is_refused_without_a_fault(desk: Desk, path: str, body: str) -> None:
    answer = desk.world.send(body, path=path)

    assert 400 <= answer.status < 500


@pytest.mark.parametrize("authorization", ["Basic", "Basic !!!", "Basic /////w==", "Basic Og==", "Bearer x"])
def test_a_broken_proof_of_a_client_is_no_fault(desk: Desk, authorization: str) -> None:
    body = "grant_type=client_credentials"

    answer = desk.world.send(body, path="/oauth/token", headers={"authorization": authorization})

    assert (answer.status, error_of(answer)) == (401, "invalid_client")


@pytest.mark.parametrize("path", ["/oauth/token", "/oauth/revoke", "/oauth/register"])
def test_programs_are_refused_in_the_words_of_the_protocol(desk: Desk, path: str) -> None:
    """Whatever it was: clients look for `error` among those that they know, and pages of others for CORS."""
    for body in ("%ff%fe", "a=b&" * 400, "x" * 5_000_000):
        answer = desk.world.send(body, path=path)
        told = json.loads(answer.body)

        assert told["error"] in ("invalid_request", "invalid_client", "invalid_client_metadata"), told
        assert told["error_description"]
        assert answer.headers["access-control-allow-origin"] == "*"
        assert answer.headers["cache-control"] == "no-store"


def test_a_client_that_is_a_page_of_others_reads_what_it_is_told(desk: Desk) -> None:
    program = Program(desk)
    desk.sign_in()
    given = program.exchange(program.let_in().query["code"])
    refused = program.exchange("nothing")
    gone = post(desk, "/oauth/revoke", {"token": read(given).refresh, "client_id": program.id})

    for answer in (given, refused, gone):
        assert answer.headers["access-control-allow-origin"] == "*"
        assert answer.headers["cache-control"] == "no-store"
    # A page is none of these.
    assert "access-control-allow-origin" not in program.question().headers


def test_who_registers_too_often_is_told_so_in_the_words_of_the_protocol(desk: Desk) -> None:
    told = json.dumps({"redirect_uris": [HERE]})
    source = {"x-forwarded-for": "203.0.113.77"}
    for _ in range(60):
        desk.world.send(told, path="/oauth/register", headers=source)

    refused = desk.world.send(told, path="/oauth/register", headers=source)

    assert (refused.status, error_of(refused)) == (429, "temporarily_unavailable")
    assert int(refused.headers["retry-after"]) > 0
