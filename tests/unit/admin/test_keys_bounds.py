"""Keys, tokens and workspaces that somebody makes: never wider than the key that asks, and nothing is cut."""

from datetime import datetime, timedelta

from tests.workshop.issues import a_project
from tests.workshop.office import ALL_SCOPES, Body, Office

FEW = ["ADMIN", "READ_ISSUES"]


def wider(office: Office, maker: Body, **order: object) -> tuple[int, str, set[str]]:
    before = len(office.rows("keys.list"))
    refused = office.refused(
        "keys.create", {"name": "wide", "scopes": FEW, **order}, key=str(maker["rawKey"])
    )
    assert len(office.rows("keys.list")) == before
    return refused


def forbidden(*fields: str) -> tuple[int, str, set[str]]:
    return 403, "forbidden", set(fields)


def test_a_narrowed_key_makes_none_that_sees_more(office: Office) -> None:
    project, other = a_project(office), a_project(office, "APP", name="App")
    label = office.a_label()["id"]
    by_project = office.a_key(projectIds=[project])
    by_label = office.a_key(labelIds=[label])

    assert wider(office, by_project) == forbidden("projectIds")
    assert wider(office, by_project, projectIds=[project, other]) == forbidden("projectIds")
    assert wider(office, by_project, labelIds=[label]) == forbidden("projectIds", "labelIds")
    assert wider(office, by_project, projectIds=[project], labelIds=[label]) == forbidden("labelIds")
    assert wider(office, by_label) == forbidden("labelIds")
    assert wider(office, by_label, projectIds=[project]) == forbidden("projectIds")
    made = office.a_key(by=by_project["rawKey"], scopes=FEW, projectIds=[project])
    assert made["projectIds"] == [project]


def test_a_lifetime_beyond_its_maker_s_is_refused(office: Office) -> None:
    maker = office.a_key(expiresInDays=2)

    assert wider(office, maker, expiresInDays=3) == forbidden("expiresInDays")
    assert wider(office, maker, kind="SESSION", ttlHours=72) == forbidden("ttlHours")


def test_without_a_lifetime_it_ends_with_its_maker(office: Office) -> None:
    maker = office.a_key(kind="SESSION", ttlHours=2)

    for kind in ("PERSONAL", "SESSION", "AGENT"):
        made = office.a_key(by=maker["rawKey"], kind=kind, scopes=FEW)
        assert made["expiresAt"] == maker["expiresAt"], kind


def test_a_session_keeps_its_day_where_its_maker_lives_longer(office: Office) -> None:
    maker = office.a_key(expiresInDays=30)

    made = office.a_key(by=maker["rawKey"], kind="SESSION", scopes=FEW)

    assert datetime.fromisoformat(made["expiresAt"]) == office.world.clock() + timedelta(hours=24)


def test_a_token_for_a_wider_key_is_refused(office: Office) -> None:
    wide, narrow = office.a_key(), office.a_key(scopes=FEW)

    refused = office.refused("tokens.create", {"keyId": wide["id"]}, key=narrow["rawKey"])

    assert refused == forbidden("keyId")
    for own in (wide, narrow):
        assert office.call("tokens.create", {"keyId": own["id"]}, key=own["rawKey"])["token"]
    assert office.call("tokens.create", {"keyId": narrow["id"]}, key=wide["rawKey"])["token"]


def test_a_token_ends_with_whoever_made_it(office: Office) -> None:
    maker, key = office.a_key(kind="SESSION", ttlHours=1), office.a_key()
    office.world.clock.advance(minutes=58)

    token = office.call("tokens.create", {"keyId": key["id"]}, key=maker["rawKey"])

    assert token["expiresAt"] == maker["expiresAt"]


def test_what_an_ending_key_founds_has_a_key_that_ends_then(office: Office) -> None:
    maker = office.a_key(expiresInDays=1)
    workspace = {
        "slug": f"e-{office.workspace.slug}",
        "key": office.workspace.slug.upper()[:6] + "E",
        "name": "E",
    }

    raw = office.call("workspaces.create", workspace, key=maker["rawKey"])["rawKey"]

    (listed,) = office.rows("keys.list", key=raw)
    assert (listed["expiresAt"], listed["scopes"]) == (maker["expiresAt"], ALL_SCOPES)
