"""Who passes the entrance and as whom, and what everybody else is told."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from forge.auth.entrance import require_scopes
from forge.auth.keys import KeyOrder
from forge.context import Door, KeyKind, Narrowing, Role
from forge.contract.terms import Scope
from forge.errors import DomainError, ErrorCode, Forbidden, ScopeRequired, Unauthorized
from forge.testing.clock import NOON
from tests.unit.auth.entered import AGENT_KEY, PERSONAL_KEY, Entrance

SESSION_KEY = PERSONAL_KEY._replace(kind=KeyKind.SESSION)
UNKNOWN_KEY = "forge_sk_" + "a" * 43


def refusal_of(headers: Mapping[str, str], entrance: Entrance | None = None) -> Unauthorized:
    place = entrance or Entrance()
    with pytest.raises(Unauthorized) as caught:
        place.admit_with(headers)
    assert caught.value.code is ErrorCode.UNAUTHORIZED
    assert caught.value.hint
    return caught.value


def test_a_user_key_lets_its_user_in(entrance: Entrance) -> None:
    narrowing = Narrowing(label_ids=frozenset({"lbl_1"}))
    raw = entrance.a_key(PERSONAL_KEY._replace(narrowing=narrowing))

    caller = entrance.admit(raw)

    assert (caller.key_id, caller.workspace_id, caller.kind) == ("key_laptop", "ws_1", KeyKind.PERSONAL)
    assert (caller.user_id, caller.role, caller.agent_id) == ("usr_1", Role.OWNER, None)
    assert caller.scopes == {"READ_ISSUES", "ADMIN"}
    assert caller.narrowing == narrowing


@pytest.mark.parametrize("maker", [{"role": Role.OWNER}, {"role": Role.GUEST, "is_member": False}])
def test_an_agent_key_lets_its_agent_in_whoever_made_it(entrance: Entrance, maker: dict[str, Any]) -> None:
    caller = entrance.admit(entrance.a_key(AGENT_KEY, user_id="usr_who_made_it", **maker))

    assert (caller.agent_id, caller.user_id, caller.role) == ("agt_1", None, None)
    assert "ADMIN" in caller.scopes


@pytest.mark.parametrize("headers", [{}, {"authorization": ""}])
def test_without_a_key_one_is_told_that_none_was_sent(headers: dict[str, str]) -> None:
    assert not refusal_of(headers).key_was_sent


@pytest.mark.parametrize(
    "header",
    [
        "Bearer",
        "Bearer ",
        " ",
        UNKNOWN_KEY,
        f"Bearer {UNKNOWN_KEY}",
        f"Basic {UNKNOWN_KEY}",
        f"Bearer\t{UNKNOWN_KEY}",
        f"Bearer {UNKNOWN_KEY}x",
        f"Bearer {UNKNOWN_KEY[:-1]}",
        f"Bearer {UNKNOWN_KEY} {UNKNOWN_KEY}",
        f"Bearer {UNKNOWN_KEY[:-1]}é",
        f"Bearer {UNKNOWN_KEY[:-1]}\x00",
        "Bearer null",
        "Bearer a.b",
        "Bearer a.b.c.d",
        "Bearer " + "x" * 100_000,
        "Bearer forge_pk_" + "a" * 43,
    ],
)
def test_a_header_that_holds_no_known_key_is_refused(header: str) -> None:
    assert refusal_of({"authorization": header}).key_was_sent


@pytest.mark.parametrize("scheme", ["Bearer ", "bearer ", "BEARER ", "Bearer   "])
def test_the_scheme_is_read_kindly(raw: str, entrance: Entrance, scheme: str) -> None:
    caller = entrance.admit_with({"authorization": f"{scheme}{raw} "})

    assert caller.key_id == "key_laptop"


def test_a_revoked_key_is_refused_from_that_moment(raw: str, entrance: Entrance) -> None:
    entrance.admit(raw)

    entrance.revoke()

    with pytest.raises(Unauthorized):
        entrance.admit(raw)


def test_a_key_works_until_it_expires_and_not_at_that_moment(entrance: Entrance) -> None:
    raw = entrance.a_key(PERSONAL_KEY._replace(expires_in_days=1))

    entrance.clock.advance(hours=23, minutes=59, seconds=59)
    entrance.admit(raw)
    entrance.clock.advance(seconds=1)

    with pytest.raises(Unauthorized):
        entrance.admit(raw)


def test_a_refused_key_is_not_marked_as_used(entrance: Entrance) -> None:
    raw = entrance.a_key(revoked_at=NOON)

    with pytest.raises(Unauthorized):
        entrance.admit(raw)

    assert entrance.record_of().last_used_at is None


def test_an_admitted_key_is_marked_as_used(raw: str, entrance: Entrance) -> None:
    entrance.clock.advance(minutes=5)

    entrance.admit(raw)

    assert entrance.record_of().last_used_at == NOON + timedelta(minutes=5)


@pytest.mark.parametrize("order", [PERSONAL_KEY, SESSION_KEY])
@pytest.mark.parametrize(
    ("became", "code"),
    [({"is_member": False}, ErrorCode.FORBIDDEN), ({"linked_agent_id": "agt_1"}, ErrorCode.UNAUTHORIZED)],
    ids=["a removed member", "linked to an agent"],
)
def test_the_key_of_a_user_who_is_no_member_or_is_an_agent_opens_nothing(
    entrance: Entrance, order: KeyOrder, became: dict[str, Any], code: ErrorCode
) -> None:
    with pytest.raises(DomainError) as caught:
        entrance.admit(entrance.a_key(order, **became))

    assert caught.value.code is code


@pytest.mark.parametrize(
    ("role", "keeps_admin"),
    [(Role.OWNER, True), (Role.ADMIN, True), (Role.MEMBER, False), (Role.GUEST, False), (None, False)],
)
def test_only_owners_and_admins_keep_the_admin_scope(
    entrance: Entrance, role: Role | None, keeps_admin: bool
) -> None:
    raw = entrance.a_key(role=role)

    caller = entrance.admit(raw)

    assert ("ADMIN" in caller.scopes) is keeps_admin
    assert "READ_ISSUES" in caller.scopes


def test_no_admin_scope_appears_by_role_alone(entrance: Entrance) -> None:
    raw = entrance.a_key(PERSONAL_KEY._replace(scopes=[Scope.READ_ISSUES]))

    assert entrance.admit(raw).scopes == {"READ_ISSUES"}


def test_the_session_is_the_one_the_client_names(raw: str, entrance: Entrance) -> None:
    named = entrance.admit(raw, headers={"mcp-session-id": "session-1"})
    unnamed = entrance.admit(raw)

    assert named.session_id == "session-1"
    assert unnamed.session_id == entrance.admit(raw, door=Door.REST).session_id


def test_a_bad_session_is_the_callers_mistake(raw: str, entrance: Entrance) -> None:
    with pytest.raises(DomainError) as caught:
        entrance.admit(raw, headers={"mcp-session-id": "two words"})

    assert caught.value.code is ErrorCode.INVALID_INPUT


def test_who_is_refused_learns_nothing_of_the_key(entrance: Entrance) -> None:
    raw = entrance.a_key(revoked_at=NOON)

    refused = refusal_of({"authorization": f"Bearer {raw}"}, entrance)

    answer = str(refused.as_object("req_1"))
    assert not any(secret in answer for secret in (raw, entrance.record_of().key_hash, "usr_1", "ws_1"))


@pytest.mark.parametrize("needed", [(), ("READ_ISSUES",), ("READ_ISSUES", "ADMIN")])
def test_a_caller_with_every_scope_passes(entrance: Entrance, needed: tuple[str, ...]) -> None:
    caller = entrance.admit(entrance.a_key())

    require_scopes(caller, needed, "issues.list")


@pytest.mark.parametrize(
    ("needed", "missing"),
    [
        (("WRITE_ISSUES",), "WRITE_ISSUES"),
        (("READ_ISSUES", "READ_ANALYTICS", "WRITE_ISSUES"), "READ_ANALYTICS"),
        (("READ_PROJECTS", "ADMIN"), "READ_PROJECTS"),
    ],
)
def test_the_first_missing_scope_is_named_and_admin_implies_none(
    entrance: Entrance, needed: tuple[str, ...], missing: str
) -> None:
    caller = entrance.admit(entrance.a_key())

    with pytest.raises(ScopeRequired) as caught:
        require_scopes(caller, needed, "issues.list")

    details: Any = caught.value.details
    assert caught.value.code is ErrorCode.SCOPE_REQUIRED
    assert details == {"scope": missing}


@pytest.mark.parametrize("length", [9, 20, 51, 53, 60])
def test_a_key_of_another_length_is_told_how_much_of_it_came(length: int) -> None:
    credential = UNKNOWN_KEY.ljust(60, "a")[:length]

    refusal = refusal_of({"authorization": f"Bearer {credential}"})

    assert str(length) in refusal.message
    assert credential[9:] == "" or credential[9:] not in refusal.message


@pytest.mark.parametrize("role", [Role.MEMBER, Role.GUEST])
def test_the_admin_scope_of_somebody_without_the_role_is_refused_for_the_role(
    entrance: Entrance, role: Role
) -> None:
    caller = entrance.admit(entrance.a_key(PERSONAL_KEY, role=role))

    with pytest.raises(Forbidden) as caught:
        require_scopes(caller, ("ADMIN",), "members.list")

    assert (caught.value.code, caught.value.details) == ("forbidden", {"scope": "ADMIN", "role": role.value})
