"""People who leave, or may less than before: so do the programs that they let in, at once."""

from collections.abc import Sequence
from typing import Any

from forge.auth.keys import hash_of
from forge.work.workspace.people.authentication import AUTHENTICATION
from tests.unit.oauth.desk import Desk
from tests.unit.oauth.programs import Program, error_of, read


def calls(desk: Desk, token: str) -> int:
    return desk.world.legacy("tools/list", key=token, path="/mcp").status


def two_signs_in(
    desk: Desk, *, role: str = "MEMBER", scopes: Sequence[str] = ("READ_ISSUES",)
) -> tuple[dict[str, Any], Program]:
    """A second member in this browser, and a program that may ask them."""
    second = desk.admin("members.add", email=f"two@{desk.workspace.slug}.example", name="Two", role=role)
    key = desk.admin("keys.create", name="two", userId=second["id"], scopes=[*scopes])["rawKey"]
    desk.sign_in(key)
    return second, Program(desk)


def test_rights_shrink_at_once_when_the_person_leaves(desk: Desk) -> None:
    agent = desk.admin("agents.create", profileKey="helper", name="Helper", provider="CLAUDE")
    second, program = two_signs_in(desk, role="ADMIN", scopes=["READ_ISSUES", "ADMIN"])
    page = program.let_in(scope="READ_ISSUES")
    own = read(program.exchange(page.query["code"]))
    page = program.let_in({"as": agent["id"]}, scope="READ_ISSUES")
    agents = read(program.exchange(page.query["code"]))
    assert calls(desk, own.access) == calls(desk, agents.access) == 200

    desk.admin("members.remove", userId=second["id"])

    assert calls(desk, own.access) in (401, 403)
    assert calls(desk, agents.access) in (401, 403)
    assert error_of(program.refresh(own.refresh)) == "invalid_grant"
    assert error_of(program.refresh(agents.refresh)) == "invalid_grant"


def test_a_client_that_slept_while_its_person_was_removed_is_not_let_in_again(desk: Desk) -> None:
    second, program = two_signs_in(desk)
    tokens = read(program.exchange(program.let_in(scope="READ_ISSUES").query["code"]))
    # Its last token has ended, so nothing of it is found when they are removed.
    desk.world.clock.advance(hours=2)

    desk.admin("members.remove", userId=second["id"])

    assert error_of(program.refresh(tokens.refresh)) == "invalid_grant"


def test_who_comes_back_has_let_in_nothing(desk: Desk) -> None:
    second, program = two_signs_in(desk)
    tokens = read(program.exchange(program.let_in(scope="READ_ISSUES").query["code"]))
    # Its last token has ended, so nothing of it is found when they are removed.
    desk.world.clock.advance(hours=2)
    desk.admin("members.remove", userId=second["id"])
    desk.world.clock.advance(hours=1)

    desk.admin("members.add", email=second["email"], name="Two")

    assert error_of(program.refresh(tokens.refresh)) == "invalid_grant"


def test_who_comes_back_at_once_gives_nothing_by_what_they_said_before(desk: Desk) -> None:
    second, program = two_signs_in(desk)
    code = program.let_in(scope="READ_ISSUES").query["code"]
    desk.world.clock.advance(seconds=1)

    desk.admin("members.remove", userId=second["id"])
    desk.admin("members.add", email=second["email"], name="Two")

    assert error_of(program.exchange(code)) == "invalid_grant"


def test_a_key_whose_last_token_is_forgotten_is_ended_all_the_same(desk: Desk) -> None:
    program = Program(desk)
    tokens = program.tokens({"days": "90"})
    desk.world.clock.advance(days=40)
    place = AUTHENTICATION(hash_of(tokens.access))
    table = desk.world.services.store.table
    gone = {"pk": {"S": place.partition}, "sk": {"S": place.sort}}
    table.client.ask("DeleteItem", {"TableName": table.name, "Key": gone})
    (key,) = desk.keys("Claude Code (forge)")

    desk.admin("keys.update", id=key["id"], ratePerMinute=60)
    desk.admin("keys.revoke", id=key["id"])

    assert error_of(program.refresh(tokens.refresh)) == "invalid_grant"


def test_administering_ends_with_the_role(desk: Desk) -> None:
    second, program = two_signs_in(desk, role="ADMIN", scopes=["READ_ISSUES", "ADMIN"])
    page = program.let_in({"scope": ["READ_ISSUES", "ADMIN"]}, scope="READ_ISSUES ADMIN")
    tokens = read(program.exchange(page.query["code"]))

    desk.admin("members.setRole", userId=second["id"], role="MEMBER")

    page = program.question(scope="READ_ISSUES ADMIN")
    assert "ADMIN" not in {one.value for one in page.forms[0].fields if one.name == "scope"}
    following = read(program.refresh(tokens.refresh))
    assert calls(desk, following.access) == 200
