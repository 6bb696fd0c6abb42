"""What a function opens, when, and what becomes of a start that fails."""

import gc
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from forge.errors import ErrorCode, Internal
from forge.wire.aws_lambda import Handler, lambda_handler, router_handler
from forge.wire.invocation import MARK, VERSION
from forge.wire.paths import HEALTH_PATH, RPC_PATH
from forge.wire.relaying import relay_handler
from forge.wire.starting import Start
from forge.wire.workers import sweep_handler
from tests.unit.wire.deployments import BACKEND
from tests.unit.wire.events import an_event

BROKEN = "a module without a function"


@dataclass(frozen=True, slots=True)
class LambdaContext:
    aws_request_id: str


HANDLERS: list[Callable[[], Handler]] = [router_handler, lambda: lambda_handler("functions.workspace")]


@pytest.fixture
def on_lambda(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_LAMBDA_FUNCTION_NAME", "forge")


def health_of(handle: Handler) -> dict[str, Any]:
    return handle(an_event(method="GET", path=HEALTH_PATH), None)


def error_of(answer: dict[str, Any]) -> tuple[int, str, str]:
    body = json.loads(answer["body"])
    return answer["statusCode"], body["error"], body["requestId"]


def log_lines(capfd: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capfd.readouterr().out.splitlines()]


def test_elsewhere_settings_are_read_on_the_first_event_and_not_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FORGE_BACKEND", BROKEN)
    handle = router_handler()
    monkeypatch.setenv("FORGE_BACKEND", BACKEND)
    monkeypatch.setenv("FORGE_GIT_SHA", "first")

    assert json.loads(health_of(handle)["body"])["gitSha"] == "first"


@pytest.mark.usefixtures("on_lambda")
@pytest.mark.parametrize("make", HANDLERS)
def test_on_lambda_everything_is_opened_before_the_first_event(
    make: Callable[[], Handler], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORGE_BACKEND", BACKEND)
    monkeypatch.setenv("FORGE_GIT_SHA", "first")
    handle = make()
    monkeypatch.setenv("FORGE_GIT_SHA", "second")
    monkeypatch.setenv("FORGE_BACKEND", BROKEN)

    assert json.loads(health_of(handle)["body"])["gitSha"] == "first"


def _fail() -> None:
    raise ValueError("It can't be opened.")


@pytest.mark.usefixtures("on_lambda")
@pytest.mark.parametrize("then", [lambda: None, _fail])
def test_nobody_looks_for_garbage_in_what_is_made_on_lambda(then: Callable[[], None]) -> None:
    looked = []
    before = gc.get_freeze_count()

    def open_all() -> None:
        looked.append(gc.isenabled())
        then()

    Start(open_all)

    assert (looked, gc.isenabled()) == ([False], True)
    assert (gc.get_freeze_count() > before) is (then is not _fail)


def test_settings_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORGE_BACKEND", BACKEND)
    monkeypatch.setenv("FORGE_GIT_SHA", "first")
    handle = router_handler()
    health_of(handle)
    monkeypatch.setenv("FORGE_GIT_SHA", "second")
    monkeypatch.delenv("FORGE_BACKEND")

    assert json.loads(health_of(handle)["body"])["gitSha"] == "first"


def test_a_start_that_fails_is_told_with_the_request_id_and_logged_with_its_traceback(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORGE_BACKEND", BROKEN)

    answer = health_of(router_handler())

    assert error_of(answer) == (500, "internal", "req_from_gateway")
    (line,) = log_lines(capfd)
    assert (line["level"], line["requestId"]) == ("ERROR", "req_from_gateway")
    assert "in open_backend" in line["exception"]
    assert line["exception"].splitlines()[-1].startswith("ValueError: ")


@pytest.mark.usefixtures("on_lambda")
@pytest.mark.parametrize("make", HANDLERS)
def test_a_failure_of_the_initialisation_is_kept_for_the_first_event(
    make: Callable[[], Handler], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORGE_BACKEND", BROKEN)
    handle = make()
    said_at_once = capfd.readouterr().out
    monkeypatch.setenv("FORGE_BACKEND", BACKEND)

    answers = [health_of(handle) for _ in range(3)]

    assert said_at_once == ""
    assert [answer["statusCode"] for answer in answers] == [500, 200, 200]
    (line,) = log_lines(capfd)
    assert "in open_backend" in line["exception"]


def test_a_start_that_failed_is_tried_again_on_the_next_event(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORGE_BACKEND", BROKEN)
    handle = router_handler()
    before = [health_of(handle)["statusCode"] for _ in range(2)]
    monkeypatch.setenv("FORGE_BACKEND", BACKEND)

    assert before == [500, 500]
    assert health_of(handle)["statusCode"] == 200


def test_a_client_of_the_rpc_door_is_told_in_json_rpc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORGE_BACKEND", BROKEN)

    answer = router_handler()(an_event("{}", path=RPC_PATH), None)

    assert answer["statusCode"] == 500
    assert json.loads(answer["body"])["error"]["data"]["error"] == "internal"


def test_the_router_is_told_as_it_asked(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORGE_BACKEND", BROKEN)
    invocation = {MARK: VERSION, "tool": "workspace.get", "call": {"request_id": "req_of_router"}}

    answer = lambda_handler("functions.workspace")(invocation, None)

    assert answer["failure"]["code"] == ErrorCode.INTERNAL
    assert [line["requestId"] for line in log_lines(capfd)] == ["req_of_router"]


def test_a_package_without_a_tool_in_the_catalog_is_told_as_a_failed_start(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORGE_BACKEND", BACKEND)

    answer = health_of(lambda_handler("functions.work"))

    assert answer["statusCode"] == 500
    assert "make generate" in log_lines(capfd)[0]["exception"]


@pytest.mark.parametrize("make", [relay_handler, sweep_handler])
@pytest.mark.parametrize("function", [None, "forge"])
def test_a_worker_that_can_not_start_says_why_and_fails_the_event(
    make: Callable[[], Any],
    function: str | None,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("FORGE_TABLE", raising=False)
    if function:
        monkeypatch.setenv("AWS_LAMBDA_FUNCTION_NAME", function)
    handle = make()

    with pytest.raises(Internal):
        handle({"Records": []}, LambdaContext("req_of_lambda"))

    (line,) = log_lines(capfd)
    assert line["requestId"] == "req_of_lambda"
    assert "FORGE_TABLE" in line["exception"]


def test_what_opened_is_opened_once() -> None:
    opened: list[str] = []

    def open_all() -> int:
        opened.append("opened")
        return len(opened)

    start = Start(open_all)

    assert [start.opened(lambda: "req_1") for _ in range(3)] == [1, 1, 1]
