"""What the embedded AWS keeps of each service over a kill, and of homes of before there was a journal."""

import os
import signal
from pathlib import Path

import pytest

from forge.cli.dev import NAME
from tests.integration.cli.dev_process import running_dev
from tests.integration.cli.processes import eventually

FORMER = Path(__file__).with_name("former")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kept") / "home"


def test_messages_objects_and_items_outlive_a_killed_emulator(home: Path) -> None:
    with running_dev(home) as dev:
        aws, emulator = dev.aws, dev.emulator
        url = aws.sqs().get_queue_url(QueueName=f"{NAME}-waits-dead")["QueueUrl"]
        for text in ("first", "second", "third"):
            aws.sqs().send_message(QueueUrl=url, MessageBody=text)
        (taken,) = aws.sqs().receive_message(QueueUrl=url)["Messages"]
        aws.sqs().delete_message(QueueUrl=url, ReceiptHandle=taken["ReceiptHandle"])
        aws.s3().put_object(Bucket=NAME, Key="a/b c", Body=b"text", ContentType="text/x-kept")
        item = {"pk": {"S": "one"}, "sk": {"S": "two"}, "n": {"N": "7"}}
        aws.dynamodb().put_item(TableName=NAME, Item=item)
        described = aws.dynamodb().describe_table(TableName=NAME)["Table"]

        os.kill(emulator, signal.SIGKILL)
        eventually(lambda: "is back" in dev.output, "another one")

        aws = dev.aws
        messages = aws.sqs().receive_message(QueueUrl=url, MaxNumberOfMessages=10)["Messages"]
        stored = aws.s3().get_object(Bucket=NAME, Key="a/b c")
        key = {name: item[name] for name in ("pk", "sk")}
        again = aws.dynamodb().describe_table(TableName=NAME)["Table"]
        assert [message["Body"] for message in messages] == ["second", "third"]
        assert (stored["Body"].read(), stored["ContentType"]) == (b"text", "text/x-kept")
        assert aws.dynamodb().get_item(TableName=NAME, Key=key)["Item"] == item
        assert again["LatestStreamArn"] == described["LatestStreamArn"]
        assert again["CreationDateTime"] == described["CreationDateTime"]


def test_a_home_of_the_former_kind_is_read_once(tmp_path: Path) -> None:
    home = tmp_path / "home"
    state = home / "aws" / "state"
    state.mkdir(parents=True)
    for file in FORMER.iterdir():
        (state / file.name).write_text(file.read_text())

    with running_dev(home) as dev:
        aws = dev.aws
        found = aws.dynamodb().get_item(TableName="former", Key={"pk": {"S": "one"}, "sk": {"S": "two"}})
        url = aws.sqs().get_queue_url(QueueName="former-queue")["QueueUrl"]
        (message,) = aws.sqs().receive_message(QueueUrl=url)["Messages"]

    assert found["Item"]["n"] == {"N": "7"}
    assert message["Body"] == "waiting"
    assert not state.exists()
    assert (home / "aws" / "state.converted").exists()


def test_a_damaged_home_of_the_former_kind_is_told_and_left_alone(tmp_path: Path) -> None:
    home = tmp_path / "home"
    state = home / "aws" / "state"
    state.mkdir(parents=True)
    (state / "dynamodb.json").write_text('{"half": ')

    with pytest.raises(AssertionError) as refused, running_dev(home):
        pass

    assert str(state / "dynamodb.json") in str(refused.value)
    assert (state / "dynamodb.json").read_text() == '{"half": '
