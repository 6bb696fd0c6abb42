"""A person has fifty live keys at most: who has them comes in all the same, and no client is sent away."""

import pytest

from tests.unit.oauth.desk import Desk
from tests.unit.oauth.programs import Program, error_of, read


def fill(desk: Desk) -> None:
    """As many as there is room for."""
    while True:
        made = {"name": "filler", "scopes": ["READ_ISSUES"]}
        if desk.world.admin("keys.create", made, key=desk.owner_key).status == 422:
            return
        desk.world.clock.advance(seconds=1)


def status(desk: Desk, token: str) -> int:
    return desk.world.legacy("tools/list", key=token, path="/mcp").status


def test_who_signs_in_anew_without_room_is_signed_out_where_they_came_in_first(desk: Desk) -> None:
    desk.sign_in()
    first = dict(desk.browser.cookies)
    desk.browser.cookies = {}
    desk.world.clock.advance(minutes=1)
    desk.sign_in()
    second = dict(desk.browser.cookies)
    desk.browser.cookies = {}
    fill(desk)

    assert desk.sign_in().url.endswith("/oauth/grants")

    for cookies, is_in in ((desk.browser.cookies, True), (second, True), (first, False)):
        desk.browser.cookies = dict(cookies)
        assert desk.browser.open("/oauth/grants").url.endswith("/oauth/grants") is is_in


def test_without_a_browser_to_sign_out_nobody_loses_a_key(desk: Desk) -> None:
    program = Program(desk, client_name="Browser")
    desk.sign_in()
    tokens = read(program.exchange(program.let_in().query["code"]))
    desk.browser.submit(desk.browser.open("/oauth/grants"), form=-1)
    errand = desk.admin("keys.create", name="errand", kind="SESSION", scopes=["READ_ISSUES"])["rawKey"]
    fill(desk)

    assert desk.sign_in().status == 422

    assert status(desk, tokens.access) == 200
    assert desk.world.rest("issues.list", {}, key=errand).status == 200


def test_a_client_goes_on_without_room_with_one_token_instead_of_two(desk: Desk) -> None:
    program = Program(desk)
    tokens = program.tokens()
    fill(desk)

    following = read(program.refresh(tokens.refresh))

    assert [status(desk, one.access) for one in (tokens, following)] == [401, 200]


def test_a_client_that_slept_meanwhile_waits_for_room_and_keeps_what_it_has(desk: Desk) -> None:
    program = Program(desk)
    tokens = program.tokens()
    desk.world.clock.advance(hours=13)
    fill(desk)

    refused = program.refresh(tokens.refresh)

    assert (refused.status, error_of(refused)) == (503, "temporarily_unavailable")
    (key, *_) = desk.keys("filler")
    desk.admin("keys.revoke", id=key["id"])
    assert read(program.refresh(tokens.refresh)).access


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_who_has_no_room_is_told_on_the_page_and_may_answer_again(desk: Desk, answer: str) -> None:
    program = Program(desk)
    desk.sign_in()
    page = program.question()
    fill(desk)

    refused = desk.browser.submit(page, {"answer": answer})

    assert refused.status == (422 if answer == "yes" else 0)
    if answer == "yes":
        (key, *_) = desk.keys("filler")
        desk.admin("keys.revoke", id=key["id"])
        assert "code" in desk.browser.submit(page, {"answer": answer}).query
