"""An initiative is made once under its slug, behind all others, and announced."""

from tests.workshop.office import Body, Office


def test_a_derived_slug_gets_a_number_and_a_given_one_that_is_taken_is_a_conflict(office: Office) -> None:
    slugs = [office.an_initiative("Growth!")["slug"] for _ in range(3)]
    logged = office.log()

    refused = office.refused("initiatives.create", {"name": "Other", "slug": "growth-2"})

    assert slugs == ["growth", "growth-2", "growth-3"]
    assert refused == (409, "conflict", {"slug"})
    assert office.log() == logged


def test_of_two_that_are_made_at_once_each_has_its_place_and_its_slug(office: Office) -> None:
    quicker: list[Body] = []
    office.meanwhile(lambda: quicker.append(office.an_initiative()))

    slower = office.an_initiative()
    office.meanwhile(lambda: quicker.append(office.an_initiative()))
    last = office.an_initiative()

    places = [(one["slug"], one["position"]) for one in (quicker[0], slower, quicker[1], last)]
    assert places == [("growth", 0), ("growth-2", 1), ("growth-3", 2), ("growth-4", 3)]
    assert [row["position"] for row in office.rows("initiatives.list")] == [0, 1, 2, 3]


def test_a_slug_that_was_given_and_taken_meanwhile_is_a_conflict(office: Office) -> None:
    office.meanwhile(lambda: office.an_initiative(slug="mine"))

    assert office.refused("initiatives.create", {"name": "Other", "slug": "mine"}) == (
        409,
        "conflict",
        {"slug"},
    )
    assert len(office.rows("initiatives.list")) == 1


def test_an_agent_makes_initiatives_and_a_key_narrowed_to_some_does_not(office: Office) -> None:
    made = office.call("initiatives.create", {"name": "Growth"}, key=office.an_agents_key())
    narrowed = office.a_narrowed_key(initiative_ids=[made["id"]])

    assert made["createdById"] is None
    assert office.refused("initiatives.create", {"name": "More"}, key=narrowed) == (403, "forbidden", set())
