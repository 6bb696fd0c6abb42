"""What of an event is worth telling."""

from functions.events.tools import lean


def test_groups_are_told_without_what_is_empty_in_them() -> None:
    payload: dict[str, object] = {
        "number": 0,
        "queued": False,
        "url": None,
        "mentions": {"agentIds": [], "userIds": ["usr_1"]},
        "nobody": {"agentIds": []},
    }

    told = lean(payload)

    assert told == {"number": 0, "queued": False, "url": None, "mentions": {"userIds": ["usr_1"]}}
