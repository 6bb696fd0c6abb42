"""What rules make of values that only another build knows: the cautious side, always."""

import pytest

from forge.auth.bounds import Grant, excess, rank_of
from forge.auth.keys import hash_of
from forge.context import UNRESTRICTED, Role
from forge.contract.terms import EXECUTE_ONLY, EngagementMode
from forge.errors import Conflict, Forbidden
from forge.store.store import Store
from forge.store.strangers import understood
from forge.testing.builders import a_caller, a_run, a_workspace, an_agent, an_issue
from forge.testing.clock import NOON
from forge.testing.world import World
from forge.work.issues.issues import Priority
from forge.work.issues.relations.relations import RelationItem, RelationKind
from forge.work.issues.runs import modes
from forge.work.issues.runs.runs import RunStatus, require_live
from forge.work.workspace.people.authentication import AUTHENTICATION
from forge.work.workspace.people.members import require_rank
from forge.work.workspace.statuses import StatusCategory
from forge.work.workspace.workspaces import MentionPolicy

UNKNOWN = "INVENTED_LATER"


def test_a_run_in_an_unknown_status_is_not_live_and_does_not_change() -> None:
    run = a_run(status=understood(RunStatus, UNKNOWN))

    assert not run.is_live
    with pytest.raises(Conflict):
        require_live(run)


def test_an_unknown_mode_allows_no_change_of_an_issue() -> None:
    assert understood(EngagementMode, UNKNOWN) not in EXECUTE_ONLY


def test_an_issue_in_an_unknown_category_is_nothing_to_work_on() -> None:
    assert not an_issue().changed(category=understood(StatusCategory, UNKNOWN)).is_open


def test_an_unknown_priority_comes_last() -> None:
    assert understood(Priority, UNKNOWN).rank == Priority.NONE.rank


def test_an_unknown_policy_sets_nobody_to_work() -> None:
    workspace = a_workspace(mention_engagement_policy=understood(MentionPolicy, UNKNOWN))

    mode, _ = modes.for_mention(workspace, an_agent(), an_issue(), "@worker hello")

    assert mode is EngagementMode.DISCUSS


def test_only_an_owner_touches_whoever_has_an_unknown_role() -> None:
    stranger = understood(Role, UNKNOWN)

    with pytest.raises(Forbidden):
        require_rank(a_caller(role=Role.ADMIN), stranger)
    require_rank(a_caller(role=Role.OWNER), stranger)


@pytest.mark.parametrize("field", ["role", "kind"])
def test_a_key_of_an_unknown_role_or_kind_only_reads(store: Store, stored_world: World, field: str) -> None:
    key = stored_world.owner_key()
    place = AUTHENTICATION(hash_of(key))
    store.table.assign(place, {field: UNKNOWN}, only_if={"key_hash": hash_of(key)})

    assert stored_world.rest("labels.list", key=key).status == 200
    assert stored_world.rest("labels.create", {"name": "bug"}, key=key).status == 403
    assert stored_world.admin("members.list", key=key).status == 403


def test_a_relation_of_an_unknown_kind_is_not_taken_apart() -> None:
    """Where its other half is stored is known to a newer build only."""
    relation = RelationItem(
        workspace_id="ws_1",
        id="rel_1",
        issue_id="iss_1",
        other_id="iss_2",
        mirror_id="rel_2",
        kind=understood(RelationKind, UNKNOWN),
        created_at=NOON,
    )

    with pytest.raises(Conflict):
        relation.counterpart  # noqa: B018 - that asking is refused is the point


def test_nobody_makes_what_has_an_unknown_role_and_who_has_one_makes_nothing() -> None:
    stranger = understood(Role, UNKNOWN)

    assert rank_of(stranger) < rank_of(Role.GUEST)
    assert "role" in excess(
        Grant(frozenset(), UNRESTRICTED, stranger), Grant(frozenset(), UNRESTRICTED, Role.OWNER)
    )
