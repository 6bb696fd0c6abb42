"""Who gets in, and as what."""

from collections.abc import Iterable

import pytest

from forge.context import Role
from functions.oauth.people.admission import Admission, Membership, NotAdmitted, OnRecord, Rules, decide
from functions.oauth.people.identities import Identity

OURS = Rules(frozenset({"example.com"}))


def ada(email: str | None = "ada@example.com", groups: Iterable[str] = (), **more: str | None) -> Identity:
    domain = more.get("domain", email.partition("@")[2] if email else None)
    return Identity("https://idp.example.com", "1", email, domain, None, frozenset(groups))


def a_member(role: Role = Role.MEMBER, given: Role | None = None) -> Membership:
    return Membership(role, given)


def test_who_was_added_by_address_comes_in_by_it_and_is_known_from_then_on() -> None:
    found = decide(ada(), OnRecord(membership=a_member(Role.ADMIN)), Rules())

    assert found == Admission(None, joins=False, binds=True, role=Role.ADMIN)


def test_an_address_that_nobody_vouches_for_leads_to_nobody() -> None:
    assert decide(ada(None), OnRecord(membership=a_member()), OURS).refusal is NotAdmitted.UNVERIFIED


def test_a_known_account_needs_no_address() -> None:
    found = decide(ada(None), OnRecord(is_bound=True, membership=a_member()), Rules())

    assert found == Admission(None, role=Role.MEMBER)


def test_a_stranger_of_an_allowed_domain_becomes_what_the_workspace_says() -> None:
    found = decide(ada(), OnRecord(), OURS._replace(role=Role.GUEST))

    assert found == Admission(None, joins=True, binds=True, role=Role.GUEST)


def test_no_domain_makes_an_owner() -> None:
    assert decide(ada(), OnRecord(), OURS._replace(role=Role.OWNER)).role is Role.GUEST


@pytest.mark.parametrize("identity", [ada("ada@elsewhere.com"), ada(domain=None)])
def test_a_stranger_of_another_domain_is_not_invited(identity: Identity) -> None:
    assert decide(identity, OnRecord(), OURS).refusal is NotAdmitted.NOT_INVITED


def test_groups_alone_let_nobody_in() -> None:
    rules = Rules(groups={"everybody": Role.ADMIN})

    assert decide(ada(groups=["everybody"]), OnRecord(), rules).refusal is NotAdmitted.NOT_INVITED


def test_who_was_removed_does_not_come_back_by_domain() -> None:
    assert decide(ada(), OnRecord(is_former=True), OURS).refusal is NotAdmitted.REMOVED
    assert decide(ada(), OnRecord(is_former=True, is_bound=True), OURS).refusal is NotAdmitted.REMOVED
    assert decide(ada(), OnRecord(is_erased=True), OURS).refusal is NotAdmitted.REMOVED


def test_who_was_removed_comes_back_when_they_are_added_again() -> None:
    assert decide(ada(), OnRecord(is_former=True, membership=a_member()), OURS).refusal is None
    assert decide(ada(), OnRecord(is_erased=True, membership=a_member()), OURS).binds


def test_an_address_that_was_given_to_somebody_else_leads_to_nobody() -> None:
    known = OnRecord(is_taken=True, membership=a_member())

    assert decide(ada(), known, OURS).refusal is NotAdmitted.ANOTHER_ACCOUNT


def test_nobody_comes_in_while_they_are_being_erased() -> None:
    known = OnRecord(is_bound=True, is_being_erased=True, membership=a_member())

    assert decide(ada(), known, OURS).refusal is NotAdmitted.BEING_ERASED


MAPPED = Rules(groups={"staff": Role.MEMBER, "ops": Role.ADMIN})


def the_roles(groups: list[str], membership: Membership, rules: Rules = MAPPED) -> tuple[Role, Role | None]:
    found = decide(ada(groups=groups), OnRecord(is_bound=True, membership=membership), rules)
    return found.role, found.given_role


def test_a_group_raises_a_role_and_what_was_given_by_hand_is_remembered() -> None:
    assert the_roles(["staff", "ops"], a_member(Role.GUEST)) == (Role.ADMIN, Role.GUEST)


def test_who_has_lost_the_group_has_lost_what_it_gave() -> None:
    assert the_roles(["staff"], a_member(Role.ADMIN, Role.GUEST)) == (Role.MEMBER, Role.GUEST)
    assert the_roles([], a_member(Role.ADMIN, Role.GUEST)) == (Role.GUEST, None)


def test_a_mapping_that_is_gone_takes_back_what_it_gave() -> None:
    assert the_roles(["ops"], a_member(Role.ADMIN, Role.MEMBER), Rules()) == (Role.MEMBER, None)


def test_no_group_lowers_what_was_given_by_hand() -> None:
    assert the_roles(["staff"], a_member(Role.ADMIN)) == (Role.ADMIN, None)


def test_no_group_makes_or_touches_an_owner() -> None:
    rules = Rules(groups={"ops": Role.OWNER})

    assert the_roles(["ops"], a_member(Role.MEMBER), rules) == (Role.MEMBER, None)
    assert the_roles(["staff"], a_member(Role.OWNER)) == (Role.OWNER, None)


def test_a_group_counts_by_its_whole_name_alone() -> None:
    assert the_roles(["OPS", "ops ", "op"], a_member(Role.GUEST)) == (Role.GUEST, None)


def test_an_owner_stays_one_whatever_was_given_before() -> None:
    known = OnRecord(is_bound=True, membership=Membership(Role.OWNER, given_role=Role.MEMBER))

    found = decide(Identity("https://idp.example.com", "1"), known, Rules())

    assert found.role is Role.OWNER
