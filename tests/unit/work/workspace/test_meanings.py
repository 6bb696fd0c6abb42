"""Which of the known things a word means, and what is said where none or several are."""

import pytest

from forge.contract.references import Kind
from forge.errors import InvalidInput
from forge.testing.builders import a_status
from forge.work.workspace import meanings
from forge.work.workspace.meanings import Thing
from forge.work.workspace.statuses import StatusCategory

SITE = Thing("prj_000001", ("SITE", "Website"))
SHOP = Thing("prj_000002", ("SHOP", "Web shop"))
OLD_SITE = Thing("prj_000003", ("OLD", "Website"))
KNOWN = [SITE, SHOP, OLD_SITE]

TODO, DOING = a_status(StatusCategory.TODO), a_status(StatusCategory.IN_PROGRESS, name="Doing")
BLOCKED = a_status(StatusCategory.TODO, id="sta_blocked", name="Blocked")


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("prj_000001", [SITE]),
        ("PRJ_000001", [SITE]),
        ("site", [SITE]),
        (" Shop ", [SHOP]),
        ("web SHOP", [SHOP]),
        ("\uff33\uff29\uff34\uff25", [SITE]),
        ("website", [SITE, OLD_SITE]),
        ("web", []),
    ],
)
def test_a_thing_is_meant_by_its_id_or_a_name_in_any_case(given: str, meant: list[Thing]) -> None:
    assert meanings.meant(given, KNOWN) == meant


def test_an_id_wins_over_a_name_and_an_earlier_name_over_a_later_one() -> None:
    posing = Thing("lbl_000009", ("prj_000001", "SHOP"))

    assert meanings.meant("prj_000001", [posing, SITE]) == [SITE]
    assert meanings.meant("shop", [posing, SHOP]) == [SHOP]


def test_of_several_none_is_chosen_and_all_are_named() -> None:
    with pytest.raises(InvalidInput) as refused:
        meanings.find_only(Kind.PROJECT, "projectId", "Website", KNOWN)

    told = (refused.value.issues or {})["projectId"]
    assert all(one in told for one in ("SITE", "OLD", SITE.id, OLD_SITE.id))
    assert "SHOP" not in told


def test_of_few_things_all_are_told() -> None:
    with pytest.raises(InvalidInput) as refused:
        meanings.get_only(Kind.PROJECT, "projectId", "nothing", KNOWN)

    told = (refused.value.issues or {})["projectId"]
    assert all(one in told for one in ("nothing", "SITE", "SHOP", "OLD"))


def test_a_project_is_told_by_its_key_and_its_name() -> None:
    with pytest.raises(InvalidInput) as refused:
        meanings.get_only(
            Kind.PROJECT, "projectId", "nothing", [Thing("prj_000001", ("SITE", "Website"), shows_all=True)]
        )

    assert "SITE (Website)" in (refused.value.issues or {})["projectId"]


def test_of_many_things_the_closest_are_told() -> None:
    many = [Thing(f"lbl_{place:06}", (f"area {place}",)) for place in range(30)]
    known = [*many, Thing("lbl_000099", ("regression",))]

    with pytest.raises(InvalidInput) as refused:
        meanings.get_only(Kind.LABEL, "labelIds", "regresion", known)

    told = (refused.value.issues or {})["labelIds"]
    assert "regression" in told
    assert "area" not in told


@pytest.mark.parametrize(
    ("given", "status_id"),
    [("todo", TODO.id), ("BLOCKED", BLOCKED.id), ("in_progress", DOING.id), (DOING.id.upper(), DOING.id)],
)
def test_a_status_is_meant_by_id_name_or_a_category_of_its_own(given: str, status_id: str) -> None:
    assert meanings.status_meant("statusId", given, [TODO, DOING, BLOCKED]) == status_id


def test_a_category_of_several_statuses_means_none_of_them() -> None:
    with pytest.raises(InvalidInput) as refused:
        meanings.status_meant("statusId", "TODO", [a_status(StatusCategory.TODO, name="Next"), BLOCKED])

    assert all(one in (refused.value.issues or {})["statusId"] for one in ("Next", "Blocked"))


@pytest.mark.parametrize(
    ("kind", "given", "found"),
    [
        (Kind.AGENT, "agt_01JABCDEFGHJKMNPQRSTVWXYZ0", "agt_01JABCDEFGHJKMNPQRSTVWXYZ0"),
        (Kind.AGENT, "AGT_01jabcdefghjkmnpqrstvwxyz0", "agt_01JABCDEFGHJKMNPQRSTVWXYZ0"),
        (Kind.AGENT, "agt_worker", None),
        (Kind.AGENT, "prj_01JABCDEFGHJKMNPQRSTVWXYZ0", None),
        (Kind.LABEL, "bug", None),
    ],
)
def test_an_id_is_known_by_its_form(kind: Kind, given: str, found: str | None) -> None:
    assert meanings.id_like(kind, given) == found
