"""What a key makes can do no more than the key, in any dimension; and what is refused really is wider."""

from datetime import datetime, timedelta
from itertools import chain, combinations
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.auth import bounds
from forge.auth.bounds import Grant, excess, rank_of
from forge.auth.narrowing import allows_initiative, allows_issue, allows_project
from forge.context import KeyKind, Narrowing, Role
from forge.contract.terms import Scope
from forge.errors import Forbidden
from forge.testing.builders import a_caller
from forge.testing.clock import NOON

IDS = ("a", "b", "c")
OTHERS = (*IDS, "other")
MOMENTS = [NOON + timedelta(hours=hours) for hours in range(4)]
NEVER = NOON + timedelta(days=36500)

some_ids = st.frozensets(st.sampled_from(IDS))
grants = st.builds(
    Grant,
    scopes=st.frozensets(st.sampled_from([scope.value for scope in Scope])),
    narrowing=st.builds(Narrowing, some_ids, some_ids, some_ids, some_ids),
    role=st.sampled_from([None, *Role]),
    expires_at=st.sampled_from([None, *MOMENTS]),
)


def powers(grant: Grant) -> set[tuple[str, object]]:
    """Everything that a credential lets somebody do, as far as there is anything in this small world."""
    narrowing = grant.narrowing
    label_sets = chain.from_iterable(combinations(IDS, size) for size in range(len(IDS) + 1))
    issues = [(project, labels, one) for labels in label_sets for project in (None, *IDS) for one in OTHERS]
    can: set[tuple[str, object]] = {("scope", scope) for scope in grant.scopes}
    can |= {
        ("issue", (project, labels, one))
        for project, labels, one in issues
        if allows_issue(narrowing, project_id=project, label_ids=labels, issue_id=one)
    }
    can |= {("project", one) for one in OTHERS if allows_project(narrowing, one)}
    can |= {("initiative", one) for one in OTHERS if allows_initiative(narrowing, one)}
    can |= {("rank", rank) for rank in range(rank_of(grant.role) + 1)}
    return can | {("moment", moment) for moment in (*MOMENTS, NEVER) if _lives(grant, moment)}


def _lives(grant: Grant, moment: datetime) -> bool:
    return grant.expires_at is None or (moment != NEVER and moment < grant.expires_at)


@given(made=grants, maker=grants)
def test_what_may_be_made_can_do_nothing_that_its_maker_can_not(made: Grant, maker: Grant) -> None:
    if not excess(made, maker):
        assert powers(made) <= powers(maker)


@given(made=grants, maker=grants)
def test_what_is_refused_could_do_more(made: Grant, maker: Grant) -> None:
    # A key that sees no issue but by labels is told of it, although here it may see the same.
    if excess(made, maker):
        assert not powers(made) <= powers(maker)


@given(grant=grants)
def test_a_key_may_make_its_like(grant: Grant) -> None:
    assert excess(grant, grant) == {}


ALL = Grant(frozenset({"ADMIN", "READ_ISSUES"}), role=Role.OWNER)


@pytest.mark.parametrize(
    ("field", "maker"),
    [
        ("scopes", ALL._replace(scopes=frozenset({"ADMIN"}))),
        ("projectIds", ALL._replace(narrowing=Narrowing(project_ids=frozenset("a")))),
        ("labelIds", ALL._replace(narrowing=Narrowing(label_ids=frozenset("a")))),
        ("initiativeIds", ALL._replace(narrowing=Narrowing(initiative_ids=frozenset("a")))),
        ("role", ALL._replace(role=Role.ADMIN)),
        ("expiresAt", ALL._replace(expires_at=NOON)),
    ],
)
def test_what_is_too_wide_is_named(field: str, maker: Grant) -> None:
    assert set(excess(ALL, maker)) == {field}


def test_a_refusal_names_fields_as_the_caller_knows_them() -> None:
    maker = a_caller(expires_at=NOON)
    made = Grant(frozenset({"ADMIN"}), expires_at=NOON + timedelta(days=1))

    with pytest.raises(Forbidden) as refused:
        bounds.require_within(made, maker, names={"expiresAt": "ttlHours"})

    assert set(refused.value.issues or ()) == {"scopes", "ttlHours"}


def test_a_token_makes_nothing() -> None:
    bounds.require_key(a_caller())
    with pytest.raises(Forbidden):
        bounds.require_key(a_caller(is_token=True))


@pytest.mark.parametrize("more", [{"role": Role.ADMIN}, {"is_token": True}], ids=lambda more: str(*more))
def test_only_an_owner_with_a_key_founds(more: dict[str, object]) -> None:
    bounds.require_founder(a_caller(role=Role.OWNER))
    with pytest.raises(Forbidden):
        bounds.require_founder(a_caller(**({"role": Role.OWNER} | more)))


@pytest.mark.parametrize("given_role", Role)
@pytest.mark.parametrize("own", [Role.ADMIN, Role.OWNER])
def test_nobody_gives_a_role_above_their_own(own: Role, given_role: Role) -> None:
    caller = a_caller(role=own)

    if rank_of(given_role) <= rank_of(own):
        bounds.require_may_raise(caller, given_role)
        return
    with pytest.raises(Forbidden):
        bounds.require_may_raise(caller, given_role)


class Order(NamedTuple):
    url: str | None = None


@pytest.mark.parametrize("is_token", [False, True])
def test_what_lasts_is_made_by_keys_that_last_and_by_their_tokens(is_token: bool) -> None:
    session = a_caller(kind=KeyKind.SESSION, is_token=is_token)

    bounds.require_may_last(a_caller(is_token=is_token), "a.tool", True, Order())
    bounds.require_may_last(session, "a.tool", ("url",), Order())
    for lasting, order in ((True, Order()), (("url",), Order("https://x"))):
        with pytest.raises(Forbidden):
            bounds.require_may_last(session, "a.tool", lasting, order)
