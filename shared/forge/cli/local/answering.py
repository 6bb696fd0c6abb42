"""The other end of the channel: takes frames, asks the engine, sends its answers back."""

import asyncio
import hmac
from collections.abc import Awaitable, Callable
from typing import cast

from forge.cli.local.answers import Answer
from forge.cli.local.channel import ANSWERED, ASKED

Ask = Callable[[str, bytes], Awaitable[Answer]]

_MOST_BYTES = 64 * 1024 * 1024


class Answering(asyncio.Protocol):
    """One connection; whoever has it asks one thing after the other."""

    def __init__(self, secret: str, ask: Ask) -> None:
        self._secret = secret.encode()
        self._ask = ask
        self._is_known = False
        self._received = bytearray()
        self._transport: asyncio.Transport | None = None
        self._task: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self._received += data
        if not self._is_known and not self._recognise():
            return
        size = ASKED.size
        if len(self._received) < size:
            return
        name_length, body_length = ASKED.unpack_from(self._received)
        if body_length > _MOST_BYTES:
            self._hang_up()
            return
        end = size + name_length + body_length
        if len(self._received) < end:
            return
        asked = bytes(self._received[:end])
        del self._received[:end]
        name, body = asked[size : size + name_length], asked[size + name_length :]
        self._task = asyncio.get_running_loop().create_task(self._answer(name.decode("latin-1"), body))

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None

    def _recognise(self) -> bool:
        length = len(self._secret)
        if len(self._received) < length:
            return False
        self._is_known = hmac.compare_digest(bytes(self._received[:length]), self._secret)
        del self._received[:length]
        if not self._is_known:
            self._hang_up()
        return self._is_known

    def _hang_up(self) -> None:
        if self._transport is not None:
            self._transport.close()

    async def _answer(self, target: str, body: bytes) -> None:
        try:
            answer = await self._ask(target, body)
        except Exception:
            self._hang_up()
            raise
        if self._transport is not None:
            self._transport.write(ANSWERED.pack(answer.status, len(answer.body)) + answer.body)
