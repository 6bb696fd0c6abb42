"""A disk that takes nothing more: changes are refused and leave no trace, and it goes on when there is room.

The kernel refuses longer files for these processes alone; to them, that is like a disk without room.
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
def full(process: int) -> Iterator[None]:
    """Every file it writes is as long as it can be."""
    hard = resource.prlimit(process, resource.RLIMIT_FSIZE)[1]
    resource.prlimit(process, resource.RLIMIT_FSIZE, (1, hard))
    try:
        yield
    finally:
        resource.prlimit(process, resource.RLIMIT_FSIZE, (hard, hard))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("full") / "home"


def made(dev: Dev) -> set[str]:
    """The labels that are not the backlog's own."""
    return {name for name in dev.labels() if ":" not in name}


def a_revoked_key(dev: Dev) -> str:
    order = {"name": "ended", "scopes": ["READ_ISSUES"]}
    made = dev.call("keys.create", order, key=dev.owner_key, surface="admin").json()
    dev.call("keys.revoke", {"id": made["id"]}, key=dev.owner_key, surface="admin")
    return str(made["rawKey"])


def test_refused_changes_leave_no_trace_and_it_goes_on_when_there_is_room(home: Path) -> None:
    with running_dev(home) as dev:
        key = dev.owner_key
        ended = a_revoked_key(dev)
        dev.add_label("before")
        objects = dev.aws.s3()
        objects.put_object(Bucket=NAME, Key="kept", Body=b"old")

        with full(dev.emulator):
            refused = [dev.call("labels.create", {"name": f"refused {n}"}, key=key) for n in range(2)]
            with pytest.raises(ClientError) as object_refused:
                objects.put_object(Bucket=NAME, Key="kept", Body=b"new and much longer")
            health = dev.get("/healthz")
            with full(dev.process.pid):
                # Nor can it write what was called, or say anything.
                read = [dev.call(tool, {}, key=key) for tool in ("labels.list", "issues.list", "agents.list")]
                strange = dev.call("labels.list", {}, key="forge_sk_" + "x" * 43)
                revoked = dev.call("labels.list", {}, key=ended)
            while_full = objects.get_object(Bucket=NAME, Key="kept")["Body"].read()
        dev.add_label("after")

        assert [answer.status_code for answer in refused] == [503, 503]
        assert refused[0].json()["error"] == ErrorCode.UNAVAILABLE
        assert "disk is full" in refused[0].json()["message"]
        assert [answer.status_code for answer in read] == [200, 200, 200]
        assert (strange.status_code, revoked.status_code) == (401, 401)
        assert object_refused.value.response["ResponseMetadata"]["HTTPStatusCode"] == 503
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
