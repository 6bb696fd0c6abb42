"""Not everybody hears of everything: threads are for those who talk, and people mute what they like."""

from tests.workshop.chat import a_talk
from tests.workshop.office import Body, Office


def kinds_of(rows: list[Body]) -> list[str]:
    return [row["kind"] for row in rows]


def test_events_of_a_thread_are_told_to_its_agent_and_its_person_alone(office: Office) -> None:
    talk, other = a_talk(office), a_talk(office, "other")
    talk.ask()
    talk.reply()
    about = {"kinds": ["CHAT_MESSAGE_POSTED"]}

    def told(key: str, **more: str) -> list[str]:
        return [row["payload"]["role"] for row in office.rows("events.recent", {**about, **more}, key=key)]

    assert told(talk.agent_key) == told(office.owner_key) == ["AGENT", "USER"]
    for stranger in (other.agent_key, office.a_colleague("ADMIN").key):
        assert told(stranger) == told(stranger, subjectType="chat-thread") == []


def test_what_a_person_muted_is_left_out_for_them_alone(office: Office) -> None:
    colleague, agent = office.a_colleague("ADMIN").key, office.an_agents_key()
    office.call("issues.create", {"title": "Login hangs"})
    muted = {"eventKind": "ISSUE_CREATED", "enabled": False}

    def hear(key: str) -> bool:
        heard = kinds_of(office.rows("events.recent", key=key))
        assert "AGENT_CREATED" in heard
        asked = kinds_of(office.rows("events.recent", {"kinds": ["ISSUE_CREATED"]}, key=key))
        assert ("ISSUE_CREATED" in heard) is bool(asked)
        return bool(asked)

    office.call("notification.setPreference", muted | {"scope": "global"})

    assert (hear(office.owner_key), hear(colleague), hear(agent)) == (False, True, True)
    office.call("notification.setPreference", muted | {"enabled": True})
    assert hear(office.owner_key)
