"""The channel to the embedded AWS: answers to who knows the secret, over whatever happens to connections."""

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import pytest
from botocore.exceptions import ClientError

from forge.cli.local.answering import Answering
from forge.cli.local.answers import Answer
from forge.cli.local.bells import MARKS, Bells
from forge.cli.local.channel import ASKED, Channel
from forge.cli.local.listening import listening, listening_for_ourselves
from forge.store.answers import NoAnswer

SECRET = "s" * 64


async def _told_back(target: str, body: bytes) -> Answer:
    if target == "AmazonSQS.DeleteQueue":
        return Answer(400, {}, json.dumps({"__type": "com.amazonaws.sqs#QueueDoesNotExist"}).encode())
    if target.endswith("Broken"):
        raise ValueError("broken")
    return Answer(200, {}, json.dumps({"target": target, "length": len(body)}).encode())


@contextmanager
def answering(listener: socket.socket) -> Iterator[None]:
    """A server on this socket; when it is gone, the socket is there for the next one."""
    loop = asyncio.new_event_loop()
    loop.set_exception_handler(lambda *_: None)
    made: list[Answering] = []

    def make() -> Answering:
        made.append(Answering(SECRET, _told_back))
        return made[-1]

    start = loop.create_unix_server if listener.family != socket.AF_INET else loop.create_server
    own = socket.socket(fileno=socket.dup(listener.fileno()))
    server = loop.run_until_complete(start(make, sock=own))
    thread = Thread(target=loop.run_forever)
    thread.start()
    try:
        yield
    finally:

        def end() -> None:
            server.close()
            for one in made:
                one._hang_up()
            loop.call_soon(loop.stop)

        loop.call_soon_threadsafe(end)
        thread.join()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()


@pytest.fixture(params=[listening_for_ourselves, lambda: listening(0)], ids=["by itself", "by a port"])
def listener(request: pytest.FixtureRequest) -> Iterator[socket.socket]:
    with request.param() as opened:
        yield opened


def test_what_is_asked_is_answered_whatever_its_length(listener: socket.socket) -> None:
    channel = Channel(listener, SECRET, Bells())

    with answering(listener):
        for length in (0, 10, 1_000_000):
            answer = channel.ask("DynamoDB_20120810.GetItem", b"x" * length)

            assert json.loads(answer.body) == {"target": "DynamoDB_20120810.GetItem", "length": length}
        channel.close()


def test_who_does_not_know_the_secret_is_not_answered(listener: socket.socket) -> None:
    with answering(listener):
        channel = Channel(listener, "t" * 64, Bells())
        with pytest.raises(NoAnswer):
            channel.ask("DynamoDB_20120810.GetItem", b"{}")


def test_a_page_is_not_answered(listener: socket.socket) -> None:
    with answering(listener), socket.socket(listener.family) as visitor:
        visitor.connect(listener.getsockname())
        visitor.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}" + b" " * 64)

        assert visitor.recv(100) == b""


def test_who_asks_for_too_much_is_hung_up_on(listener: socket.socket) -> None:
    with answering(listener), socket.socket(listener.family) as visitor:
        visitor.connect(listener.getsockname())
        visitor.sendall(SECRET.encode() + ASKED.pack(1, 1 << 31))

        assert visitor.recv(100) == b""


def test_another_server_on_the_same_socket_is_asked_next(listener: socket.socket) -> None:
    channel = Channel(listener, SECRET, Bells())
    with answering(listener):
        channel.ask("DynamoDB_20120810.GetItem", b"{}")

    with answering(listener):
        answer = channel.ask("DynamoDB_20120810.GetItem", b"{}")
        channel.close()

    assert answer.status == 200


def test_what_breaks_there_is_no_answer_here(listener: socket.socket) -> None:
    channel = Channel(listener, SECRET, Bells())

    with answering(listener), pytest.raises(NoAnswer):
        channel.ask("DynamoDB_20120810.Broken", b"{}")


def test_queues_are_asked_by_the_names_of_their_client(listener: socket.socket) -> None:
    channel = Channel(listener, SECRET, Bells())

    with answering(listener):
        answer = channel.queues().send_message_batch(QueueUrl="q", Entries=[])
        with pytest.raises(ClientError) as refused:
            channel.queues().delete_queue(QueueUrl="q")
        channel.close()

    assert answer["target"] == "AmazonSQS.SendMessageBatch"
    assert refused.value.response["Error"]["Code"] == "QueueDoesNotExist"


def test_what_others_wait_for_rings(listener: socket.socket) -> None:
    bells = Bells()
    channel = Channel(listener, SECRET, bells)

    with answering(listener):
        channel.ask_tables("TransactWriteItems", b"{}")
        channel.queues().send_message(QueueUrl="q", MessageBody="{}")
        channel.close()

    for name in (MARKS, "q"):
        bells.wait(name, 60)
