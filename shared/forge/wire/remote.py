"""Runs tools in their namespace's own function: narrower roles, one more hop."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from forge import deadline
from forge.context import Context
from forge.contract.catalog_tools import CatalogTool
from forge.errors import Internal, Unavailable
from forge.jsontext import decode, encode
from forge.wire.invocation import read_answer, write_invocation
from forge.wire.switchboard import Arguments, InlineRunner

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient


class RemoteRunner:
    """Invokes functions by the folder of their namespace; what is deployed with the router runs here."""

    def __init__(self, functions: Mapping[str, str], connect: Callable[[], "LambdaClient"]) -> None:
        self._functions = functions
        # Shared by all threads, and made once.
        self._connect = cache(connect)
        self._inline = InlineRunner()

    def prepare(self, tools: Iterable[CatalogTool]) -> None:
        """The client that invokes them; what runs here is imported when it is called."""
        self._connect()

    def run(self, tool: CatalogTool, arguments: Arguments, context: Context) -> str:
        function = self._functions.get(folder_of(tool))
        if function is None:
            return self._inline.run(tool, arguments, context)
        seconds = deadline.seconds_left()
        payload = encode(write_invocation(tool.name, arguments, context.caller, context.call, seconds))
        return read_answer(self._invoke(function, payload, context))

    def runs_apart(self, tool: CatalogTool) -> bool:
        return folder_of(tool) in self._functions

    def _invoke(self, function: str, payload: str, context: Context) -> dict[str, Any]:
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            # One attempt: only the caller, with an idempotency key, can repeat a call safely.
            answer = self._connect().invoke(FunctionName=function, Payload=payload.encode())
        except (BotoCoreError, ClientError) as problem:
            raise Unavailable(
                f"{context.tool} did not answer in time; it may or may not have taken effect.",
                hint="Repeat it with the same idempotency key, or look first whether it happened.",
                retry_after_seconds=2,
            ) from problem
        body = answer["Payload"].read()
        if answer.get("FunctionError"):
            raise Internal(
                "Something went wrong on our side.",
                hint=f"Tell an operator the request id {context.call.request_id}.",
            )
        found: dict[str, Any] = decode(body)
        return found


def folder_of(tool: CatalogTool) -> str:
    """`functions.issues.tools` is deployed from the folder `issues`."""
    return tool.module.split(".")[1]
