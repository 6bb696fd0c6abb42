"""Texts in S3 and messages on queues."""

import json
from tempfile import TemporaryFile
from typing import Any
from unicodedata import category
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forge.errors import NotFound
from forge.store.blobs import Blobs, Stored
from forge.store.connections import Connections
from forge.store.physical import QUEUES, Queue
from forge.store.queues import Queues
from forge.store.store import Store


def received(store: Store, queue: str) -> list[Any]:
    answer = store.queues.client.receive_message(
        QueueUrl=store.queues.urls[queue], MaxNumberOfMessages=10, WaitTimeSeconds=0
    )
    return [json.loads(message["Body"]) for message in answer.get("Messages", [])]


def attribute(store: Store, queue: str, name: Any) -> int:
    answer = store.queues.client.get_queue_attributes(
        QueueUrl=store.queues.urls[queue], AttributeNames=[name]
    )
    return int(answer["Attributes"][name])


@pytest.mark.parametrize("text", ["", "naïve ☃ 🎉\r\n\x00", "x" * 2_000_000])
def test_a_text_comes_back_as_it_was_however_often_it_is_written(store: Store, text: str) -> None:
    for _ in range(2):
        name = store.blobs.put_text("WS#ws_1#TEXT/a name with # and ☃", text)

        assert store.blobs.get_text(name) == text


def test_a_file_is_stored_from_its_beginning(store: Store) -> None:
    with TemporaryFile() as file:
        file.write(b"one line\n" * 1_000_000)

        store.blobs.put_file("name", file, content_type="application/x-ndjson")

    assert store.blobs.get_text("name") == "one line\n" * 1_000_000
    assert store.blobs.find("name") == Stored(9_000_000, "application/x-ndjson")


def test_texts_of_different_names_do_not_meet(store: Store) -> None:
    store.blobs.put_text("one", "first")
    store.blobs.put_text("one/two", "second")

    assert store.blobs.get_text("one") == "first"


def test_of_an_object_the_beginning_the_size_and_the_type_can_be_had(store: Store) -> None:
    store.blobs.put_text("name", "0123456789")

    assert store.blobs.get_bytes("name", most=4) == b"0123"
    assert store.blobs.find("name") == Stored(10, "text/plain; charset=utf-8")


def test_an_object_that_is_not_there_is_none_and_can_be_deleted_again(store: Store) -> None:
    store.blobs.put_text("name", "text")

    for _ in range(2):
        store.blobs.delete("name")

    assert store.blobs.find("name") is None
    with pytest.raises(NotFound):
        store.blobs.get_bytes("name", most=4)


def test_a_url_binds_type_length_and_place_and_lies_in_the_buckets_own_region() -> None:
    blobs = Blobs("bucket", Connections("us-east-1", credentials=("key", "secret")).s3)

    url = urlsplit(blobs.url_to_put("ws/a b.png", content_type="image/png", size=12, seconds=900).url)

    query = parse_qs(url.query)
    assert (url.scheme, url.netloc) == ("https", "bucket.s3.us-east-1.amazonaws.com")
    assert url.path == "/ws/a%20b.png"
    assert query["X-Amz-SignedHeaders"] == ["content-length;content-type;host"]
    assert (query["X-Amz-Algorithm"], query["X-Amz-Expires"]) == (["AWS4-HMAC-SHA256"], ["900"])


def test_a_message_arrives_as_it_was(store: Store) -> None:
    message = {"id": "evt_1", "payload": {"list": [1, None, "☃"]}}

    store.queues.send("dispatch", message)

    assert received(store, "dispatch") == [message]


HARD = ("\ufffe", "\uffff", "\ufdd0", "\U0001fffe", "\U0010ffff", "\ud800", "\udfff", "\x00", "\x7f", "\x85")
LAST_OF_EACH = {category(chr(code)): chr(code) for code in range(0x110000)}
CHARACTERS = st.sampled_from([*HARD, *LAST_OF_EACH.values()]) | st.characters(codec="utf-8")
# Each by itself: two halves that happen to fit are one character for every reader of JSON.
TEXTS = st.lists(CHARACTERS, max_size=8).map(" ".join).map(lambda text: [text, " ".join(HARD)])


@pytest.mark.parametrize("queue", QUEUES, ids=lambda queue: queue.name)
@given(texts=TEXTS)
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_character_travels_whole_through_every_queue(
    store: Store, queue: Queue, texts: list[str]
) -> None:
    store.queues.send(queue.name, {"texts": texts}, group="one" if queue.is_fifo else None)

    (message,) = store.queues.receive(queue.name, most=10)
    store.queues.delete(queue.name, message)

    assert json.loads(message.body) == {"texts": texts}


def test_queues_do_not_share_their_messages(store: Store) -> None:
    store.queues.send("dispatch", {"id": "evt_1"})

    assert received(store, "waits") == []


def test_a_delayed_message_is_not_there_yet(store: Store) -> None:
    store.queues.send("dispatch", {"id": "evt_1"}, delay_seconds=600)

    assert received(store, "dispatch") == []
    assert attribute(store, "dispatch", "ApproximateNumberOfMessagesDelayed") == 1


def test_a_queue_that_nobody_described_is_a_mistake_of_the_program(store: Store) -> None:
    with pytest.raises(KeyError):
        store.queues.send("nowhere", {})


def test_nothing_is_connected_before_the_first_use(store: Store) -> None:
    def refuse() -> Any:
        raise LookupError("nobody asked yet")

    queues = Queues({"dispatch": "http://nowhere"}, refuse)

    with pytest.raises(LookupError):
        queues.send("dispatch", {})


def test_a_copy_stays_when_what_it_was_made_of_changes(store: Store) -> None:
    blobs = store.blobs
    blobs.put("sent/a b.txt", b"first", content_type="text/plain")

    assert blobs.copy("sent/a b.txt", "kept/a b.txt")
    assert not blobs.copy("sent/nothing", "kept/a b.txt")
    blobs.put("sent/a b.txt", b"other", content_type="text/plain")

    assert blobs.get_bytes("kept/a b.txt", most=10) == b"first"
    assert blobs.find("kept/a b.txt") == Stored(5, "text/plain")
