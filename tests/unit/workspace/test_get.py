"""The workspace of the key is shown, and no other."""

from forge.contract.terms import Scope
from forge.testing.world import World


def test_a_workspace_shows_its_name_and_settings() -> None:
    world = World()

    result = world.call("workspace.get", key=world.a_key())

    assert result["isError"] is False
    assert result["structuredContent"] == {
        "id": world.workspace.id,
        "slug": "demo",
        "key": "DEMO",
        "name": "Demo",
        "cycleLengthDays": 7,
        "cycleCooldownDays": 0,
        "timeTrackingEnabled": False,
        "attachmentQuotaMb": 1024,
        "requiredAckSeconds": 0,
        "autoDispatch": False,
        "autoDispatchMode": "MANUAL_ONLY",
        "plansNeedAPerson": True,
        "checkpointsNeedAPerson": True,
        "moveOnStart": True,
        "moveOnComplete": True,
    }


def test_each_key_sees_its_own_workspace() -> None:
    world = World()
    other = world.add_workspace("other")
    keys = [world.a_key(), world.a_key(workspace=other)]

    slugs = [world.call("workspace.get", key=key)["structuredContent"]["slug"] for key in keys]

    assert slugs == ["demo", "other"]


def test_reading_issues_is_scope_enough() -> None:
    world = World()

    assert world.call("workspace.get", key=world.a_key(scopes=[Scope.READ_ISSUES]))["isError"] is False


def test_the_answer_over_rest_is_the_same() -> None:
    world = World()
    key = world.a_key()

    response = world.rest("workspace.get", key=key)

    assert response.status == 200
    assert response.body == world.call("workspace.get", key=key)["content"][0]["text"]
