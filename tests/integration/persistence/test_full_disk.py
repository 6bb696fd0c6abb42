"""A disk that takes nothing more: changes are refused and leave no trace, and it goes on when there is room.

The kernel refuses longer files for the emulator's process alone; to it, that is like a disk without room.
"""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from botocore.exceptions import ClientError

from forge.cli.dev import NAME
from forge.errors import ErrorCode
from tests.integration.cli.dev_process import Dev, running_dev
from tests.integration.cli.processes import eventually


@contextmanager
def full(dev: Dev) -> Iterator[None]:
    """Every file it writes is as long as it can be."""
    hard = resource.prlimit(dev.emulator, resource.RLIMIT_FSIZE)[1]
    resource.prlimit(dev.emulator, resource.RLIMIT_FSIZE, (1, hard))
    try:
        yield
    finally:
        resource.prlimit(dev.emulator, resource.RLIMIT_FSIZE, (hard, hard))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("full") / "home"


def made(dev: Dev) -> set[str]:
    """The labels that are not the backlog's own."""
    return {name for name in dev.labels() if ":" not in name}


def test_refused_changes_leave_no_trace_and_it_goes_on_when_there_is_room(home: Path) -> None:
    with running_dev(home) as dev:
        key = dev.owner_key
        dev.add_label("before")
        objects = dev.aws.s3()
        objects.put_object(Bucket=NAME, Key="kept", Body=b"old")

        with full(dev):
            refused = [dev.call("labels.create", {"name": f"refused {n}"}, key=key) for n in range(2)]
            with pytest.raises(ClientError) as object_refused:
                objects.put_object(Bucket=NAME, Key="kept", Body=b"new and much longer")
            health = dev.get("/healthz")
            while_full = objects.get_object(Bucket=NAME, Key="kept")["Body"].read()
        dev.add_label("after")

        assert [answer.status_code for answer in refused] == [503, 503]
        assert refused[0].json()["error"] == ErrorCode.UNAVAILABLE
        assert object_refused.value.response["Error"]["Code"] == "ServiceUnavailable"
        assert health.status_code == 503
        assert while_full == b"old"
        assert made(dev) == {"before", "after"}
        eventually(dev.is_healthy, "health")
        assert dev.output.count("Changes are refused") == 1
        assert dev.output.count("Changes are kept again") == 1
        dev.process.kill()
    with running_dev(home) as again:
        assert made(again) == {"before", "after"}
        assert again.aws.s3().get_object(Bucket=NAME, Key="kept")["Body"].read() == b"old"
