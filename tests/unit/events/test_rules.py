"""What of an event is worth telling."""

from functions.events.rules import lean


def test_neither_what_is_empty_nor_the_subject_itself_is_told_again() -> None:
    payload = {
        "issueId": "iss_1",
        "number": 0,
        "queued": False,
        "url": None,
        "mentions": {"agentIds": [], "userIds": ["usr_1"]},
        "nobody": {"agentIds": []},
    }

    told = lean(payload, subject_id="iss_1")

    assert told == {"number": 0, "queued": False, "mentions": {"userIds": ["usr_1"]}}
