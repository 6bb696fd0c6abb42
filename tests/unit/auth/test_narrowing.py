"""What a narrowed key may see: projects or labels for issues, nothing but its own kind for the rest."""

from collections.abc import Callable

import pytest

from forge.auth.narrowing import (
    allows_initiative,
    allows_issue,
    allows_project,
    require_initiative,
    require_issue,
    require_project,
    without_gone,
)
from forge.context import UNRESTRICTED, Caller, Narrowing
from forge.errors import ErrorCode, Forbidden
from forge.testing.builders import a_caller

TO_PROJECT = Narrowing(project_ids=frozenset({"prj_1", "prj_2"}))
TO_LABEL = Narrowing(label_ids=frozenset({"lbl_1", "lbl_2"}))
TO_EITHER = Narrowing(project_ids=frozenset({"prj_1"}), label_ids=frozenset({"lbl_1"}))
TO_INITIATIVE = Narrowing(initiative_ids=frozenset({"ini_1"}))


@pytest.mark.parametrize(
    ("narrowing", "project_id", "label_ids", "is_allowed"),
    [
        (UNRESTRICTED, None, [], True),
        (UNRESTRICTED, "prj_9", ["lbl_9"], True),
        (TO_PROJECT, "prj_1", [], True),
        (TO_PROJECT, "prj_2", ["lbl_9"], True),
        (TO_PROJECT, "prj_9", [], False),
        (TO_PROJECT, None, [], False),
        (TO_PROJECT, None, ["prj_1"], False),
        (TO_LABEL, None, ["lbl_1"], True),
        (TO_LABEL, "prj_9", ["lbl_9", "lbl_2"], True),
        (TO_LABEL, "prj_9", ["lbl_9"], False),
        (TO_LABEL, "lbl_1", [], False),
        (TO_LABEL, None, [], False),
        (TO_EITHER, "prj_1", [], True),
        (TO_EITHER, "prj_9", ["lbl_1"], True),
        (TO_EITHER, "prj_9", ["lbl_9"], False),
        (TO_INITIATIVE, None, [], True),
        (TO_INITIATIVE, "prj_9", ["lbl_9"], True),
    ],
)
def test_an_issue_is_open_by_project_or_by_label(
    narrowing: Narrowing, project_id: str | None, label_ids: list[str], is_allowed: bool
) -> None:
    assert allows_issue(narrowing, project_id=project_id, label_ids=label_ids) is is_allowed


def test_labels_may_come_from_any_iterable() -> None:
    assert allows_issue(TO_LABEL, project_id=None, label_ids=iter(["lbl_2"]))


@pytest.mark.parametrize(
    ("allows", "narrowing", "id", "is_allowed"),
    [
        (allows_project, UNRESTRICTED, "prj_9", True),
        (allows_project, TO_PROJECT, "prj_1", True),
        (allows_project, TO_PROJECT, "prj_9", False),
        (allows_project, TO_LABEL, "prj_9", True),
        (allows_project, TO_INITIATIVE, "prj_9", True),
        (allows_initiative, UNRESTRICTED, "ini_9", True),
        (allows_initiative, TO_INITIATIVE, "ini_1", True),
        (allows_initiative, TO_INITIATIVE, "ini_9", False),
        (allows_initiative, TO_PROJECT, "ini_9", True),
        (allows_initiative, TO_LABEL, "ini_9", True),
    ],
)
def test_projects_and_initiatives_are_open_by_their_own_kind_alone(
    allows: Callable[[Narrowing, str], bool], narrowing: Narrowing, id: str, is_allowed: bool
) -> None:
    assert allows(narrowing, id) is is_allowed


@pytest.mark.parametrize(
    ("narrowing", "require"),
    [
        (TO_PROJECT, lambda caller: require_issue(caller, project_id=None, label_ids=[])),
        (TO_LABEL, lambda caller: require_issue(caller, project_id="prj_1", label_ids=[])),
        (TO_PROJECT, lambda caller: require_project(caller, "prj_9")),
        (TO_INITIATIVE, lambda caller: require_initiative(caller, "ini_9")),
    ],
)
def test_what_is_not_open_is_forbidden(narrowing: Narrowing, require: Callable[[Caller], None]) -> None:
    with pytest.raises(Forbidden) as caught:
        require(a_caller(narrowing=narrowing))

    assert caught.value.code is ErrorCode.FORBIDDEN
    assert caught.value.hint


def test_what_is_open_passes() -> None:
    require_issue(a_caller(narrowing=TO_LABEL), project_id=None, label_ids=["lbl_1"])
    require_project(a_caller(narrowing=TO_PROJECT), "prj_1")
    require_initiative(a_caller(narrowing=TO_INITIATIVE), "ini_1")


def test_a_label_that_is_gone_grants_nothing_and_never_everything() -> None:
    narrowing = Narrowing(label_ids=frozenset({"lbl_1", "lbl_2"}))

    assert without_gone(narrowing, ["lbl_2"]).label_ids == {"lbl_2"}
    blind = without_gone(narrowing, [])
    assert not allows_issue(blind, project_id="prj_1", label_ids=["lbl_1"])
    assert not allows_issue(blind, project_id=None, label_ids=[])


def test_a_key_that_lost_its_labels_keeps_its_projects() -> None:
    narrowing = Narrowing(project_ids=frozenset({"prj_1"}), label_ids=frozenset({"lbl_1"}))

    left = without_gone(narrowing, [])

    assert allows_issue(left, project_id="prj_1", label_ids=[])
    assert not allows_issue(left, project_id=None, label_ids=["lbl_1"])
