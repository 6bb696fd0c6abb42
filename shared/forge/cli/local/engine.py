"""The embedded AWS as an ASGI application: who may ask, three services, the disk, then the answer."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager
from functools import partial
from typing import Any

from ministack.app import _decode_aws_chunked_body
from ministack.core.responses import set_request_account_id, set_request_region
from ministack.services import dynamodb, dynamodb_streams, s3, sqs

from forge.cli.local import objects, queues, streams, tables
from forge.cli.local.admission import SIGNING, Admission, Asked
from forge.cli.local.answers import Answer, is_off, not_kept
from forge.cli.local.channel import NEW_IMAGES, QUEUES, TABLES, is_followed
from forge.cli.local.commits import Commits, NotKept
from forge.cli.local.undoing import Undo
from forge.clock import system_now
from forge.testing.engine import lighten

REGION = "us-east-1"
ACCOUNT = "000000000000"

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Handler = Callable[..., Awaitable[tuple[int, dict[str, Any], Any]]]

_STREAMS = "DynamoDBStreams_"
_MOST_READINGS = 5
_NOTHING = Asked("POST", "/", "/", {}, "")


def enter_account() -> None:
    """The engine knows many accounts and regions; here is one."""
    set_request_account_id(ACCOUNT)
    set_request_region(REGION)


class Engine:
    def __init__(self, admission: Admission, commits: Commits, undo: Undo) -> None:
        self._admission = admission
        self._commits = commits
        self._undo = undo
        self._objects = asyncio.Lock()
        lighten()
        queues.take_repetitions()
        streams.keep_only(is_followed)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        answer = await self._answer(scope, receive)
        headers = [
            (name.lower().encode("latin-1"), str(value).encode())
            for name, value in answer.headers.items()
            if not name.lower().startswith("access-control-")
        ]
        if not any(name == b"content-length" for name, _ in headers):
            headers.append((b"content-length", str(len(answer.body)).encode()))
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        body = b"" if scope["method"] == "HEAD" else answer.body
        await send({"type": "http.response.body", "body": body})

    async def _answer(self, scope: Scope, receive: Receive) -> Answer:
        nobody = Answer(403, {}, b"")
        asked = _asked(scope, b"")
        if not self._admission.may_be_read(asked):
            return nobody
        # A URL tells by itself how much may come; everything else is signed together with its body.
        is_presigned = "authorization" not in asked.headers
        if is_presigned and self._admission.service(asked, system_now()) is None:
            return nobody
        body = await _body(receive)
        asked = _asked(scope, body or b"")
        service = self._admission.service(asked, system_now())
        if body is None or service is None:
            return nobody
        enter_account()
        try:
            if service == "s3":
                return await self._ask_objects(asked)
            return await self._ask(service, asked)
        except NotKept as refused:
            return not_kept(service, refused.problem)

    async def ask(self, target: str, body: bytes) -> Answer:
        """What comes by the channel, from our own parent."""
        enter_account()
        service = "sqs" if target.startswith(QUEUES) else "dynamodb"
        try:
            if target == NEW_IMAGES:
                return await self._new_images(json.loads(body))
            act, request = tables.ACTS.get(target.removeprefix(f"{TABLES}.")), tables.read(body)
            if act is not None and request is not None:
                return await self._act(target.rpartition(".")[2], partial(act, request), request)
            return await self._ask(service, Asked("POST", "/", "/", {"x-amz-target": target}, "", body))
        except NotKept as refused:
            return not_kept(service, refused.problem)

    async def _act(
        self, operation: str, act: Callable[[], tuple[int, dict[str, Any], Any]], request: dict[str, Any]
    ) -> Answer:
        """The same as `_ask` for what is asked most, without a request around it."""

        async def look(*_: object) -> tuple[int, dict[str, Any], Any]:
            return act()

        if operation in tables.READING:
            return await self._read(look, _NOTHING)
        before = tables.Before(request)
        with _undone_if_it_breaks(before):
            answer = Answer(*act())
        await self._commits.keep(before.step())
        return answer

    async def _new_images(self, asked: dict[str, Any]) -> Answer:
        table, position = asked["table"], asked.get("position")

        async def look(*_: object) -> tuple[int, dict[str, Any], Any]:
            found = streams.new_images(table, position)
            return 200, {}, json.dumps(found).encode()

        streams.forget(table, position)
        return await self._read(look, _NOTHING)

    async def _ask(self, service: str, asked: Asked) -> Answer:
        target, _, operation = asked.headers.get("x-amz-target", "").rpartition(".")
        reading, writing = (
            (tables.READING, tables.WRITING) if service == "dynamodb" else (queues.READING, queues.WRITING)
        )
        if operation in reading:
            handler = sqs if service == "sqs" else _of_tables(target)
            return await self._read(handler.handle_request, asked)
        if operation not in writing:
            return is_off(service, operation or "This")
        before = tables.Before(asked.body) if service == "dynamodb" else queues.Before(asked.body)
        # Neither of them waits for anything: nobody else's request comes in between.
        with _undone_if_it_breaks(before):
            answer = await _handled((dynamodb if service == "dynamodb" else sqs).handle_request, asked)
        await self._commits.keep(before.step())
        return answer

    async def _read(self, handle: Handler, asked: Asked) -> Answer:
        """What others did meanwhile and the disk refused was not there: so it is read anew."""
        tries = 0
        while True:
            answer = await _handled(handle, asked)
            try:
                await self._commits.keep()
            except NotKept:
                tries += 1
                if tries == _MOST_READINGS:
                    raise
            else:
                return answer

    async def _ask_objects(self, asked: Asked) -> Answer:
        headers = dict(asked.headers)
        if not objects.is_on(asked.method, asked.path, asked.query, headers):
            return is_off("s3", "This")
        is_object = "/" in asked.path.strip("/")
        async with self._objects:
            if is_object and asked.method in ("PUT", "DELETE"):
                return await self._change_object(asked)
            if asked.method in ("GET", "HEAD"):
                answer = await self._read(s3.handle_request, asked)
            else:
                before = objects.BucketBefore(asked.path)
                answer = await _handled(s3.handle_request, asked)
                await self._commits.keep(before.step())
            return objects.shown(asked.method, asked.path, headers, answer)

    async def _change_object(self, asked: Asked) -> Answer:
        before = objects.ObjectBefore(self._undo, asked.path)
        try:
            await asyncio.to_thread(before.remember)
        except OSError as problem:
            self._commits.say(str(problem))
            return not_kept("s3", problem)
        answer = await _handled(s3.handle_request, asked)
        try:
            await asyncio.to_thread(before.keep)
        except OSError as problem:
            self._commits.say(str(problem))
            before.put_back()
            return not_kept("s3", problem)
        self._commits.say(None)
        return answer


@contextmanager
def _undone_if_it_breaks(before: tables.Before | queues.Before) -> Iterator[None]:
    """What the engine had done when it broke was written down nowhere."""
    is_whole = False
    try:
        yield
        is_whole = True
    finally:
        if not is_whole:
            before.step().undo()


def _of_tables(target: str) -> Any:
    return dynamodb_streams if target.startswith(_STREAMS) else dynamodb


async def _handled(handler: Handler, asked: Asked) -> Answer:
    headers = dict(asked.headers)
    body = _decode_aws_chunked_body(asked.body, headers)
    # Admission has judged the signature; the engine would do so by keys of its own.
    query = {name: values for name, values in asked.query.items() if name not in SIGNING}
    # A request without any signature may not say how its answer is to be labelled, and a presigned one may.
    headers.setdefault("authorization", "judged")
    status, said, content = await handler(asked.method, asked.path, headers, body, query)
    return Answer(status, said, content if isinstance(content, bytes) else str(content).encode())


def _asked(scope: Scope, body: bytes) -> Asked:
    headers: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return Asked(
        scope["method"],
        scope["path"],
        scope["raw_path"].decode("latin-1"),
        headers,
        scope["query_string"].decode("latin-1"),
        body,
    )


async def _body(receive: Receive) -> bytes | None:
    """All of it, or nothing: half an object must not be taken for a whole one."""
    parts = []
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)
