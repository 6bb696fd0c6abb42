"""How often a key may call is set by admins, and how often a workspace may by its settings."""

import json

from forge.auth.keys import hash_of
from forge.work.workspace.people.api_keys import AuthenticationItem
from forge.work.workspace.people.authentication import AUTHENTICATION
from tests.workshop.office import Office


def authenticating(office: Office, raw_key: str) -> AuthenticationItem:
    found = office.world.services.store.table.find(AuthenticationItem, AUTHENTICATION(hash_of(raw_key)))
    assert found is not None
    return found


def statuses(office: Office, raw_key: str, calls: int) -> list[int]:
    return [office.send("workspace.get", key=raw_key).status for _ in range(calls)]


def test_a_key_is_made_with_a_limit_and_gets_another_from_the_next_minute_on(office: Office) -> None:
    made = office.a_key(ratePerMinute=2)
    assert made["ratePerMinute"] == 2
    assert statuses(office, made["rawKey"], 3) == [200, 200, 429]

    changed = office.call("keys.update", {"id": made["id"], "ratePerMinute": 3})
    assert changed["ratePerMinute"] == 3
    assert statuses(office, made["rawKey"], 1) == [429]

    office.world.clock.advance(minutes=1)
    assert statuses(office, made["rawKey"], 4) == [200, 200, 200, 429]

    office.call("keys.update", {"id": made["id"], "clear": ["ratePerMinute"]})
    office.world.clock.advance(minutes=1)
    assert 429 not in statuses(office, made["rawKey"], 10)


def test_a_limited_key_gives_nobody_more_than_it_has(office: Office) -> None:
    limited = office.a_key(ratePerMinute=50)["rawKey"]
    other = office.a_key()["id"]

    assert office.a_key(by=limited)["ratePerMinute"] == 50
    assert office.a_key(by=limited, ratePerMinute=20)["ratePerMinute"] == 20
    order = {"name": "more", "scopes": ["READ_ISSUES"], "ratePerMinute": 51}
    assert office.refused("keys.create", order, key=limited) == (403, "forbidden", {"ratePerMinute"})
    own = office.rows("keys.list")[-1]["id"]
    for wanted in ({"ratePerMinute": 51}, {"clear": ["ratePerMinute"]}):
        for key_id in (other, own):
            refused = office.refused("keys.update", {"id": key_id, **wanted}, key=limited)
            assert refused == (403, "forbidden", {"ratePerMinute"})


def test_a_revoked_key_and_one_of_another_workspace_get_no_limit(office: Office) -> None:
    made = office.a_key()
    office.call("keys.revoke", {"id": made["id"]})
    other = Office(office.world, office.world.add_workspace("other")).a_key()

    assert office.refused("keys.update", {"id": made["id"], "ratePerMinute": 5})[0] == 409
    assert office.refused("keys.update", {"id": other["id"], "ratePerMinute": 5})[0] == 404


def test_every_key_hears_of_a_ceiling_and_new_ones_are_made_with_it(office: Office) -> None:
    before = [office.a_key()["rawKey"] for _ in range(25)]
    other = Office(office.world, office.world.add_workspace("another"))

    office.call("workspaces.update", {"callsPerMinute": 10})
    office.sweep()

    keys = [*before, office.a_key()["rawKey"]]
    assert {authenticating(office, key).calls_per_minute for key in keys} == {10}
    assert authenticating(other, other.owner_key).calls_per_minute is None
    office.world.clock.advance(minutes=1)
    seen = [status for key in before for status in statuses(office, key, 1)]
    assert seen == [200] * 10 + [429] * 15
    assert statuses(other, other.owner_key, 20) == [200] * 20
    refused = office.send("workspace.get", key=before[0])
    assert int(refused.headers["retry-after"]) <= 60
    assert json.loads(refused.body)["retryable"]


def test_a_ceiling_that_is_lifted_is_forgotten(office: Office) -> None:
    key = office.a_key()["rawKey"]
    office.call("workspaces.update", {"callsPerMinute": 10})
    office.sweep()
    office.world.clock.advance(minutes=2)
    office.sweep()
    office.call("workspaces.update", {"clear": ["callsPerMinute"]})
    office.sweep()

    office.world.clock.advance(minutes=1)
    assert statuses(office, key, 30) == [200] * 30
