"""A reply can be seen while it is written; what stays of it is one message."""

import json
from datetime import timedelta

from forge.work.content.chat.drafts import WRITABLE, DraftPhase
from tests.workshop.chat import Talk, a_run, a_talk
from tests.workshop.office import Office


def a_draft(talk: Talk) -> str:
    return str(talk.as_agent("chat.startDraft")["draftId"])


def deltas(talk: Talk) -> list[tuple[str | None, int | None]]:
    return [(one.delta, one.seq) for one in talk.parts() if one.phase is DraftPhase.DELTA]


def test_the_contracts_three_steps_make_one_message(office: Office) -> None:
    talk = a_talk(office)

    started = talk.as_agent("chat.startDraft")
    assert started == {"draftId": started["draftId"], "threadId": talk.thread_id}
    chunk = talk.as_agent("chat.appendDraftChunk", draftId=started["draftId"], delta="Here's ", seq=0)
    assert chunk == {"ok": True}
    assert talk.read()["messages"] == []
    final = talk.as_agent(
        "chat.finalizeDraft",
        draftId=started["draftId"],
        body="Here's the full reply...",
        sourceRunId=a_run(talk),
    )

    assert final == {"messageId": final["messageId"], **started}
    (message,) = talk.read()["messages"]
    assert (message["id"], message["body"], message["finalizedDraftId"]) == (
        final["messageId"],
        "Here's the full reply...",
        started["draftId"],
    )
    shown = [(one.phase, one.delta, one.seq, one.message_id) for one in talk.parts()]
    assert shown == [
        ("started", None, None, None),
        ("delta", "Here's ", 0, None),
        ("finalized", None, None, final["messageId"]),
    ]


def test_what_is_shown_is_purged_after_an_hour_and_never_logged(office: Office) -> None:
    talk = a_talk(office)
    draft_id = a_draft(talk)
    rows = len(office.log())

    talk.as_agent("chat.appendDraftChunk", draftId=draft_id, delta="Half a thought")

    assert len(office.log()) == rows
    assert {one.purge_after for one in talk.parts()} == {
        one.created_at + timedelta(hours=1) for one in talk.parts()
    }
    talk.as_agent("chat.finalizeDraft", draftId=draft_id, body="A thought.")
    told = office.log()[-1]
    assert told.payload["finalizedDraftId"] == draft_id
    assert "thought" not in " ".join(one.model_dump_json() for one in office.log())


def test_beginning_acknowledges_what_waited(office: Office) -> None:
    talk = a_talk(office)
    asked = talk.ask()

    a_draft(talk)

    assert talk.message(asked).output_started_at == office.world.clock()
    assert talk.as_agent("chat.kickThread")["kicked"] is False


def test_a_chunk_that_is_sent_again_is_shown_once(office: Office) -> None:
    talk = a_talk(office)
    draft_id = a_draft(talk)

    for delta, seq in (("a", 0), ("b", 7), ("a", 0), ("other", 7)):
        assert talk.as_agent("chat.appendDraftChunk", draftId=draft_id, delta=delta, seq=seq) == {"ok": True}

    assert deltas(talk) == [("a", 0), ("b", 7)]


def test_who_does_not_count_is_counted_for(office: Office) -> None:
    talk = a_talk(office)
    drafts = [a_draft(talk), a_draft(talk)]

    for draft_id in (*drafts, *drafts):
        talk.as_agent("chat.appendDraftChunk", draftId=draft_id, delta="same")

    assert deltas(talk) == [("same", 0), ("same", 0), ("same", 1), ("same", 1)]


def test_a_draft_becomes_one_message_and_takes_no_chunk_after_that(office: Office) -> None:
    talk = a_talk(office)
    draft_id = a_draft(talk)
    message_id = talk.as_agent("chat.finalizeDraft", draftId=draft_id, body="Done.")["messageId"]

    for tool, more in (
        ("chat.finalizeDraft", {"body": "Done!"}),
        ("chat.appendDraftChunk", {"delta": "d"}),
    ):
        order = {"threadId": talk.thread_id, "draftId": draft_id, **more}
        answer = office.send(tool, order, key=talk.agent_key)
        assert answer.status == 409
        assert json.loads(answer.body)["details"] == {"messageId": message_id}
    assert len(talk.read()["messages"]) == 1


def test_a_draft_of_another_thread_or_of_yesterday_is_not_found(office: Office) -> None:
    talk = a_talk(office)
    draft_id = a_draft(talk)
    other = office.call("threads.create", {"agentId": talk.agent_id})["id"]

    for tool, more in (("chat.finalizeDraft", {"body": "b"}), ("chat.appendDraftChunk", {"delta": "d"})):
        elsewhere = {"threadId": other, "draftId": draft_id, **more}
        assert office.refused(tool, elsewhere, key=talk.agent_key) == (404, "not_found", set())
    office.world.clock.advance(seconds=WRITABLE.total_seconds())
    assert talk.refused("chat.finalizeDraft", draftId=draft_id, body="b") == (404, "not_found", set())


def test_another_agent_neither_speaks_nor_begins_nor_goes_on_nor_ends(office: Office) -> None:
    talk, other = a_talk(office), a_talk(office, "other")
    mine = {"threadId": talk.thread_id, "draftId": a_draft(talk)}

    for tool, order in (
        ("chat.appendMessage", {"threadId": talk.thread_id, "body": "b"}),
        ("chat.kickThread", {"threadId": talk.thread_id}),
        ("chat.startDraft", {"threadId": talk.thread_id}),
        ("chat.appendDraftChunk", {**mine, "delta": "d"}),
        ("chat.finalizeDraft", {**mine, "body": "b"}),
    ):
        assert office.refused(tool, order, key=other.agent_key) == (403, "forbidden", set())


def test_a_chunk_that_comes_just_after_the_end_is_refused_and_a_second_end_too(office: Office) -> None:
    talk = a_talk(office)

    def finalize(draft_id: str) -> None:
        talk.as_agent("chat.finalizeDraft", draftId=draft_id, body="Done.")

    for tool, more in (("chat.appendDraftChunk", {"delta": "d"}), ("chat.finalizeDraft", {"body": "Twice."})):
        draft_id = a_draft(talk)
        office.meanwhile(lambda draft_id=draft_id: finalize(draft_id))  # type: ignore[misc]

        assert talk.refused(tool, draftId=draft_id, **more) == (409, "conflict", set())
    assert [one["body"] for one in talk.read()["messages"]] == ["Done.", "Done."]
    assert deltas(talk) == []


def test_of_two_equal_chunks_at_once_one_is_shown(office: Office) -> None:
    talk = a_talk(office)
    chunk = {"draftId": a_draft(talk), "delta": "d", "seq": 3}

    office.meanwhile(lambda: talk.as_agent("chat.appendDraftChunk", **chunk))
    second = talk.as_agent("chat.appendDraftChunk", **chunk)

    assert second == {"ok": True}
    assert deltas(talk) == [("d", 3)]
