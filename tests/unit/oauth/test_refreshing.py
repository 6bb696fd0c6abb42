"""Refresh tokens: each counts once, and who brings one again is forgiven for as long as answers get lost."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.unit.oauth.desk import Desk
from tests.unit.oauth.programs import Program, error_of, read
from tests.unit.oauth.refused import audited
from tests.workshop.office import Office


def status(desk: Desk, token: str) -> int:
    return desk.world.legacy("tools/list", key=token, path="/mcp").status


def test_each_gives_another_and_the_key_stays_one(desk: Desk) -> None:
    program = Program(desk)
    tokens = program.tokens()
    for _ in range(4):
        following = read(program.refresh(tokens.refresh))
        assert following.access != tokens.access
        assert following.refresh != tokens.refresh
        assert status(desk, following.access) == 200
        tokens = following

    (key,) = desk.keys("Claude Code (forge)")
    assert key["revokedAt"] is None


def test_processes_that_share_a_key_go_on_with_the_token_before_and_no_older_one(desk: Desk) -> None:
    program = Program(desk)
    first = program.tokens()
    second = read(program.refresh(first.refresh))
    assert status(desk, first.access) == 200

    third = read(program.refresh(second.refresh))

    assert [status(desk, one.access) for one in (first, second, third)] == [401, 200, 200]


def test_the_same_token_in_time_gets_the_same_answer(desk: Desk) -> None:
    program = Program(desk)
    tokens = program.tokens()
    following = read(program.refresh(tokens.refresh))
    desk.world.clock.advance(seconds=29)

    again = read(program.refresh(tokens.refresh))

    assert (again.access, again.refresh) == (following.access, following.refresh)
    assert status(desk, again.access) == 200


def test_two_at_once_get_the_same_answer(desk: Desk) -> None:
    program = Program(desk)
    tokens = program.tokens()

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: program.refresh(tokens.refresh), range(4)))

    assert len({read(one).refresh for one in answers}) == 1
    assert len({read(one).access for one in answers}) == 1


def test_the_same_token_later_ends_the_family(desk: Desk) -> None:
    program = Program(desk)
    tokens = program.tokens()
    following = read(program.refresh(tokens.refresh))
    desk.world.clock.advance(seconds=31)

    assert error_of(program.refresh(tokens.refresh)) == "invalid_grant"

    assert status(desk, following.access) == status(desk, tokens.access) == 401
    assert error_of(program.refresh(following.refresh)) == "invalid_grant"
    (key,) = desk.keys("Claude Code (forge)")
    assert key["revokedAt"] is not None
    assert {("oauth.refreshReused", None), ("oauth.token", "invalid_grant")} <= {*audited(desk)}


def test_whoever_is_behind_the_one_that_went_on_has_stolen_it(desk: Desk) -> None:
    program = Program(desk)
    tokens = program.tokens()
    following = read(program.refresh(tokens.refresh))
    read(program.refresh(following.refresh))

    assert error_of(program.refresh(tokens.refresh)) == "invalid_grant"
    assert status(desk, following.access) == 401


def test_another_client_gets_nothing_for_it_and_ends_nothing(desk: Desk) -> None:
    program, other = Program(desk), Program(desk, client_name="Other")
    tokens = program.tokens()

    assert error_of(program.refresh(tokens.refresh, client_id=other.id)) == "invalid_grant"
    assert ("oauth.token", "invalid_grant") in audited(desk)

    assert read(program.refresh(tokens.refresh)).access


def test_a_token_for_another_resource_is_refused(desk: Desk) -> None:
    program = Program(desk)
    tokens = program.tokens()

    assert error_of(program.refresh(tokens.refresh, resource="https://evil.example/mcp")) == "invalid_target"
    assert ("oauth.token", "invalid_target") in audited(desk)


@pytest.mark.parametrize("token", ["forge_rt_" + "x" * 43, "x", "é"])
def test_what_is_no_token_gives_none(desk: Desk, token: str) -> None:
    assert error_of(Program(desk).refresh(token)) == "invalid_grant"


def test_less_may_be_asked_for_and_all_of_it_again_later(desk: Desk) -> None:
    program = Program(desk)
    tokens = program.tokens()
    less = read(program.refresh(tokens.refresh, scope="READ_ISSUES"))

    refused = desk.world.call("issues_create", {"title": "X"}, key=less.access, path="/mcp")
    more = read(program.refresh(less.refresh))

    assert refused["structuredContent"]["error"] == "scope_required"
    assert more.whole["scope"] == "READ_ISSUES WRITE_ISSUES"
    result = desk.world.call("issues_create", {"title": "X"}, key=more.access, path="/mcp")
    assert result["isError"] is False


def test_an_access_token_ends_and_the_refresh_token_goes_on(desk: Desk) -> None:
    program = Program(desk)
    tokens = program.tokens({"days": "30"})
    desk.world.clock.advance(hours=1, seconds=1)
    assert status(desk, tokens.access) == 401
    (key,) = desk.keys("Claude Code (forge)")
    assert key["revokedAt"] is None

    following = read(program.refresh(tokens.refresh))

    assert status(desk, following.access) == 200
    desk.world.clock.advance(days=30)
    assert error_of(program.refresh(following.refresh)) == "invalid_grant"


def test_calls_of_a_minute_are_counted_on_over_a_refresh(desk: Desk) -> None:
    made = desk.admin("keys.create", name="slow", scopes=["READ_ISSUES"], ratePerMinute=5)
    program = Program(desk)
    desk.sign_in(made["rawKey"])
    page = program.let_in(scope="READ_ISSUES")
    tokens = read(program.exchange(page.query["code"]))
    assert [status(desk, tokens.access) for _ in range(6)] == [200] * 5 + [429]

    following = read(program.refresh(tokens.refresh))

    assert status(desk, following.access) == 429


def test_an_archived_agent_gets_no_more_tokens(desk: Desk) -> None:
    agent = desk.admin("agents.create", profileKey="a", name="A", provider="CLAUDE")
    program = Program(desk)
    tokens = program.tokens({"as": agent["id"]})

    desk.admin("agents.archive", id=agent["id"])

    result = desk.world.call("issues_create", {"title": "X"}, key=tokens.access, path="/mcp")
    assert result["isError"] is True
    assert error_of(program.refresh(tokens.refresh)) == "invalid_grant"


def test_what_a_key_let_in_ends_with_that_key(desk: Desk) -> None:
    made = desk.admin("keys.create", name="laptop", scopes=["READ_ISSUES", "WRITE_ISSUES", "ADMIN"])
    desk.sign_in(made["rawKey"])
    program = Program(desk)
    tokens = read(program.exchange(program.let_in().query["code"]))

    desk.admin("keys.revoke", id=made["id"])

    assert status(desk, tokens.access) == 401
    assert error_of(program.refresh(tokens.refresh)) == "invalid_grant"
    assert program.question().query.get("next", "").startswith("/oauth/authorize")
    assert all(one["revokedAt"] for name in ("Browser", "Claude Code (forge)") for one in desk.keys(name))


def test_what_was_said_yes_to_gives_nothing_after_the_key_has_ended(desk: Desk) -> None:
    """Whoever has stolen it could wait with the code until all that it made was ended."""
    made = desk.admin("keys.create", name="laptop", scopes=["READ_ISSUES", "WRITE_ISSUES", "ADMIN"])
    desk.sign_in(made["rawKey"])
    program = Program(desk)
    code = program.let_in().query["code"]

    desk.admin("keys.revoke", id=made["id"])

    assert error_of(program.exchange(code)) == "invalid_grant"


def test_a_client_that_slept_while_the_key_ended_is_not_let_in_again(desk: Desk) -> None:
    made = desk.admin("keys.create", name="laptop", scopes=["READ_ISSUES", "WRITE_ISSUES", "ADMIN"])
    desk.sign_in(made["rawKey"])
    program = Program(desk)
    tokens = read(program.exchange(program.let_in().query["code"]))
    desk.world.clock.advance(hours=13)

    desk.admin("keys.revoke", id=made["id"])
    for _ in range(3):
        desk.world.clock.advance(minutes=1)
        Office(desk.world, desk.workspace).sweep()

    assert error_of(program.refresh(tokens.refresh)) == "invalid_grant"
