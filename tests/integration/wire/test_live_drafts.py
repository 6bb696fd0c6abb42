"""Whoever follows a thread over HTTP sees replies as they are written: each piece once, come what may."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from threading import Condition
from typing import NamedTuple

import httpx
import pytest

from forge.store.store import Store
from forge.testing.server import serve
from forge.testing.world import World
from forge.wire.edge import Options
from forge.wire.paths import STREAM_PATH
from tests.integration.cli.processes import PLAIN
from tests.workshop.chat import Talk, a_talk
from tests.workshop.office import Body, Office

WRITERS, CHUNKS = 4, 30
MOST_SILENT = 10


class Written:
    """What a follower waits for, instead of for the time to pass."""

    def __init__(self) -> None:
        self._news = Condition()

    def __call__(self, seconds: float) -> None:
        with self._news:
            self._news.wait(timeout=0.1)

    def tell(self) -> None:
        with self._news:
            self._news.notify_all()


class Event(NamedTuple):
    id: str
    kind: str
    data: Body


class EventSource:
    """Asks again and again, as browsers do, and now and then loses the rest of an answer."""

    def __init__(self, url: str, key: str, subject: str, *, since: str) -> None:
        self._url = url + STREAM_PATH
        self._headers = {"authorization": f"Bearer {key}"}
        self._query = {"subject": subject, "since": since}
        self._last: str | None = None

    def __iter__(self) -> Iterator[Event]:
        silent = 0
        for most in cycle((1, 3, None)):
            assert silent < MOST_SILENT, "whoever was followed has gone"
            answer = self._ask()
            assert answer.status_code == 200, answer.text
            *events, end = _blocks(answer.text)
            arrived = [Event(one["id"], one["event"], json.loads(one["data"])) for one in events][:most]
            self._last = arrived[-1].id if len(arrived) < len(events) else end["id"]
            silent = 0 if arrived else silent + 1
            yield from arrived

    def _ask(self) -> httpx.Response:
        headers = self._headers | ({"last-event-id": self._last} if self._last else {})
        return httpx.get(
            self._url, params=self._query, headers=headers, timeout=30, trust_env=False, verify=PLAIN
        )

    def status(self) -> int:
        return self._ask().status_code


def _blocks(text: str) -> list[dict[str, str]]:
    """The fields of each event, and at last the id after all of them; `retry` is no event."""
    lines = [block.splitlines() for block in text.strip().split("\n\n")]
    fields = [dict(line.split(": ", 1) for line in block) for block in lines]
    return [one for one in fields if "id" in one]


class Stage(NamedTuple):
    talk: Talk
    url: str
    written: Written

    def follow(self, key: str | None = None) -> EventSource:
        """From the moment on in which the thread was opened."""
        subject, since = f"chat-thread:{self.talk.thread_id}", self.talk.thread.created_at
        return EventSource(self.url, key or self.talk.office.owner_key, subject, since=since.isoformat())

    def write(self, tool: str, **arguments: object) -> Body:
        """Each a moment later than the one before, so that the follower's place moves on."""
        self.talk.office.world.clock.advance(milliseconds=400)
        answer = self.talk.as_agent(tool, **arguments)
        self.written.tell()
        return answer

    def write_with_many(self, chunk: Callable[[int, int], Body]) -> str:
        """A draft that so many write on at once, by writer and number; the message that it became."""
        draft_id = self.write("chat.startDraft")["draftId"]

        def write_all(writer: int) -> None:
            for number in range(CHUNKS):
                self.write("chat.appendDraftChunk", draftId=draft_id, **chunk(writer, number))

        with ThreadPoolExecutor(WRITERS) as pool:
            list(pool.map(write_all, range(WRITERS)))
        return str(self.write("chat.finalizeDraft", draftId=draft_id, body="All of it.")["messageId"])


@pytest.fixture
def stage(store: Store) -> Iterator[Stage]:
    written = Written()
    world = World(store=store, options=Options(wait=written))
    with serve(world.edge) as url:
        yield Stage(a_talk(Office(world)), url, written)


def heard_until_final(source: EventSource) -> list[Event]:
    """What arrives until the draft is a message, and the event of the message has come, too."""
    heard: list[Event] = []
    for event in source:
        heard.append(event)
        kinds = Counter(one.kind for one in heard)
        is_final = any(one.data.get("phase") == "finalized" for one in heard)
        if is_final and kinds["CHAT_MESSAGE_POSTED"]:
            return heard
    raise AssertionError("an EventSource never ends")


def test_a_reply_is_followed_through_reconnects_however_many_write_on_it(stage: Stage) -> None:
    source = stage.follow()

    with ThreadPoolExecutor(1) as beside:
        message = beside.submit(stage.write_with_many, lambda *which: {"delta": "{}.{} ".format(*which)})
        heard = heard_until_final(source)

    parts = [one.data for one in heard if one.kind == "chat-thread-stream"]
    deltas = [one for one in parts if one["phase"] == "delta"]
    told = {f"{writer}.{number} " for writer in range(WRITERS) for number in range(CHUNKS)}
    assert Counter(one["delta"] for one in deltas) == Counter(told)
    assert sorted(one["seq"] for one in deltas) == [*range(WRITERS * CHUNKS)]
    assert [one["phase"] for one in parts if one["phase"] != "delta"] == ["started", "finalized"]
    assert parts[-1]["messageId"] == message.result()
    draft = {"threadId": stage.talk.thread_id, "agentId": stage.talk.agent_id, "draftId": parts[0]["draftId"]}
    assert all(draft.items() <= one.items() for one in parts)


def test_a_chunk_that_all_writers_send_is_heard_once(stage: Stage) -> None:
    source = stage.follow(stage.talk.agent_key)

    with ThreadPoolExecutor(1) as beside:
        beside.submit(stage.write_with_many, lambda _, number: {"delta": f"{number} ", "seq": number})
        heard = heard_until_final(source)

    deltas = [one.data for one in heard if one.data.get("phase") == "delta"]
    assert Counter(one["seq"] for one in deltas) == Counter(range(CHUNKS))


def test_nobody_else_follows_a_thread_wherever_they_say_they_are(stage: Stage) -> None:
    office, other = stage.talk.office, a_talk(stage.talk.office, "other")
    stage.write("chat.startDraft")
    place = next(iter(stage.follow())).id
    colleague = office.a_colleague("ADMIN").key

    for key in (colleague, other.agent_key):
        source = stage.follow(key)
        assert source.status() == 403
        source._last = place
        assert source.status() == 403
        recent = {"subjectType": "chat-thread", "subjectId": stage.talk.thread_id}
        assert office.refused("events.recent", recent, key=key) == (403, "forbidden", set())
    foreign = office.world.owner_key(office.world.add_workspace("foreign"))
    assert stage.follow(foreign).status() == 400
