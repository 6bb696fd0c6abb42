"""What fails in botocore fails in our words, so that it is waited for or told like everything else."""

import socket
from typing import Any, NoReturn

import pytest
from botocore.exceptions import ClientError, ReadTimeoutError

from forge.errors import NotFound, Unavailable
from forge.store.answers import NoAnswer, Refused
from forge.store.blobs import Blobs
from forge.store.botocore_calls import BotocoreRequests, in_our_words
from forge.store.connections import Connections
from forge.store.failures import patiently
from forge.store.queues import Queues
from forge.store.store import Store
from tests.unit.store.local_server import HOST


def raising(error: Exception) -> Any:
    def call() -> NoReturn:
        raise error

    return call


def test_a_call_that_succeeds_answers_what_it_answered() -> None:
    assert in_our_words(lambda: "answer")() == "answer"


def test_an_error_of_a_service_is_a_refusal_with_all_that_it_says() -> None:
    response: Any = {
        "Error": {"Code": "TransactionCanceledException", "Message": "No."},
        "ResponseMetadata": {"HTTPStatusCode": 400},
        "CancellationReasons": [{"Code": "None"}],
        "Item": {"pk": {"S": "one"}},
    }

    with pytest.raises(Refused) as caught:
        in_our_words(raising(ClientError(response, "TransactWriteItems")))()

    refusal = caught.value
    assert (refusal.code, refusal.message, refusal.status) == ("TransactionCanceledException", "No.", 400)
    assert (refusal.reasons, refusal.item) == ([{"Code": "None"}], {"pk": {"S": "one"}})


def test_an_error_on_the_way_is_no_answer() -> None:
    with pytest.raises(NoAnswer):
        in_our_words(raising(ReadTimeoutError(endpoint_url="http://dynamodb")))()


def test_what_is_no_error_of_botocore_is_not_touched() -> None:
    with pytest.raises(LookupError):
        in_our_words(raising(LookupError()))()


def test_a_bucket_and_a_queue_out_of_reach_are_waited_for_and_then_unavailable() -> None:
    with socket.create_server((HOST, 0)) as probe:
        nowhere = f"http://{HOST}:{probe.getsockname()[1]}"
    connections = Connections("us-east-1", nowhere, ("key", "secret"))
    pauses: list[float] = []

    def wait_for(client_call: Any) -> None:
        patiently(in_our_words(client_call), pause=pauses.append, clock=lambda: sum(pauses))

    with pytest.raises(Unavailable):
        wait_for(lambda: connections.s3().get_object(Bucket="b", Key="k"))
    with pytest.raises(Unavailable):
        wait_for(lambda: connections.sqs().send_message(QueueUrl=f"{nowhere}/q", MessageBody="{}"))
    assert len(pauses) > 10


def test_a_text_and_a_queue_that_are_not_there_are_told_at_once(store: Store) -> None:
    with pytest.raises(NotFound):
        store.blobs.get_text("nothing")
    with pytest.raises(Refused) as caught:
        Blobs("no-such-bucket", lambda: store.blobs.client).put_text("name", "text")
    assert caught.value.code == "NoSuchBucket"
    nowhere = Queues({"dispatch": f"{store.queues.urls['dispatch']}-not"}, lambda: store.queues.client)
    with pytest.raises(Refused):
        nowhere.send("dispatch", {})


def test_botocore_is_the_way_where_the_direct_one_does_not_lead() -> None:
    behind_a_path = Connections("us-east-1", f"http://{HOST}:1/stage", ("key", "secret"))

    assert isinstance(behind_a_path.tables()._send, BotocoreRequests)


def test_an_operation_that_does_not_exist_is_not_taken_for_another(connections: Connections) -> None:
    with pytest.raises(AttributeError):
        BotocoreRequests(connections.dynamodb)("NoSuchThing", b"{}")
