"""`acp:<command>`: an agent that speaks the Agent Client Protocol over its standard input and output."""

import asyncio
import re
import shlex
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import acp
from acp import RequestError
from acp.client.connection import ClientSideConnection
from acp.schema import (
    AgentMessageChunk,
    AllowedOutcome,
    ClientCapabilities,
    DeniedOutcome,
    HttpHeader,
    HttpMcpServer,
    Implementation,
    InitializeResponse,
    PermissionOption,
    PromptResponse,
    RequestPermissionResponse,
    TextContentBlock,
    ToolCallProgress,
    ToolCallStart,
    ToolCallUpdate,
    UsageUpdate,
)

from forge import __version__
from forge.cli.worker.agents.lines import COMPLAINTS
from forge.cli.worker.agents.protocol import (
    SERVER,
    Began,
    Counted,
    Did,
    End,
    Hear,
    Lived,
    Order,
    Outcome,
    Question,
    Said,
    Stop,
)
from forge.cli.worker.limits import Usage
from forge.cli.worker.processes.children import Child, Start
from forge.cli.worker.settings.settings import Permissions

_HANDSHAKE_SECONDS = 60
_LAST_SECONDS = 10
_LOOK_SECONDS = 0.2
_SECONDS_TO_LEAVE = 3.0
_LONGEST_LINE = 2**26
_ALLOWED, _REFUSED = ("allow_once", "allow_always"), ("reject_once", "reject_always")
_LIMITS = {"max_tokens", "max_turn_requests"}
_OURS = re.compile(rf"(mcp__{SERVER}__|{SERVER}\.)[\w.]+")
"""Tools of Forge: what they may do, its key says. The title of a command is the command, and may begin so."""


def acp_agent(typed: str, *, name: str = "acp", variables: frozenset[str] = frozenset()) -> "AcpAgent":
    return AcpAgent(name, variables, shlex.split(typed))


@dataclass(frozen=True, slots=True)
class AcpAgent:
    name: str
    variables: frozenset[str]
    words: list[str]

    @property
    def program(self) -> str:
        return self.words[0]

    def new_session(self) -> str:
        return ""

    def work(self, order: Order, hear: Hear, started: Callable[[Stop], None]) -> Outcome:
        complaints = order.home / COMPLAINTS
        complaints.unlink(missing_ok=True)
        start = Start(order.wrap(self.words, ()), order.worktree, order.environment, complaints)
        child = Child(start, None)
        started(child.stop)
        ear = Ear(hear, order.permissions, order.granted)
        try:
            return asyncio.run(_talk(order, child, ear))
        except (RequestError, ConnectionError) as problem:
            return Outcome(End.FAILED, child.last_words() or f"{problem}")
        finally:
            child.stop_soon(0)
            child.wait()


class Ear:
    """What the agent tells and asks while it works."""

    def __init__(self, hear: Hear, permissions: Permissions, granted: Collection[str] = ()) -> None:
        self._hear = hear
        self._granted = granted
        self._permissions = permissions
        self._words: list[str] = []
        self._line = ""
        self._turns = 0
        self._cost: float | None = None
        self.question: Question | None = None
        self.asked = asyncio.Event()

    @property
    def text(self) -> str:
        return "".join(self._words).strip()

    def begin(self, session: str) -> None:
        self._hear(Began(session))

    async def session_update(self, session_id: str, update: object, **more: Any) -> None:
        match update:
            case AgentMessageChunk(content=TextContentBlock(text=text)):
                self._words.append(text)
                self._speak(text)
            case ToolCallStart(title=title):
                self.end_line()
                # What it said before it used a tool is not its last word.
                self._words.clear()
                self._turns += 1
                self._hear(Did(title))
                self._hear(Counted(turns=self._turns))
            case ToolCallProgress(title=title, status=status) if status in ("completed", "failed"):
                self._hear(Did(title or "tool", str(status)))
            case UsageUpdate(cost=cost) if cost is not None and cost.currency == "USD":
                self._cost = cost.amount
                self._hear(Counted(total=Usage(cost_usd=cost.amount), turns=self._turns))
            case _:
                self._hear(Lived())

    def _speak(self, text: str) -> None:
        """Line by line: it comes in pieces, and a key that is torn is not known for one."""
        whole, is_whole, rest = (self._line + text).rpartition("\n")
        if is_whole:
            self._hear(Said(whole))
        self._line = rest
        self._hear(Lived())

    def end_line(self) -> None:
        if self._line:
            self._hear(Said(self._line))
        self._line = ""

    async def request_permission(
        self, session_id: str, tool_call: ToolCallUpdate, options: list[PermissionOption], **more: Any
    ) -> RequestPermissionResponse:
        title = tool_call.title or tool_call.tool_call_id
        is_ours = tool_call.kind != "execute" and _OURS.fullmatch(title)
        if self._permissions is Permissions.ALLOW or is_ours or title in self._granted:
            return _chosen(options, _ALLOWED)
        self._hear(Did("permission", title))
        if self._permissions is Permissions.ASK:
            wanted = f"The agent wants to use: {title}\n\n{tool_call.raw_input or ''}"
            self.question = Question(f"May the agent use {title}?", wanted.strip(), title)
            self.asked.set()
            return RequestPermissionResponse(outcome=DeniedOutcome(outcome="cancelled"))
        return _chosen(options, _REFUSED)

    def count(self, answer: PromptResponse) -> None:
        if answer.usage:
            used = answer.usage
            cached = used.cached_read_tokens or 0
            usage = Usage(used.input_tokens + cached, used.output_tokens, cached, self._cost)
            self._hear(Counted(total=usage, turns=self._turns))


async def _talk(order: Order, child: Child, ear: Ear) -> Outcome:
    async with _connected(child, ear) as connection:
        try:
            async with asyncio.timeout(_HANDSHAKE_SECONDS):
                told = await connection.initialize(
                    protocol_version=acp.PROTOCOL_VERSION,
                    client_capabilities=ClientCapabilities(),
                    client_info=Implementation(name="forge-worker", version=__version__),
                )
                session = await _session(connection, order, told)
        except TimeoutError:
            return Outcome(End.FAILED, f"It did not answer within {_HANDSHAKE_SECONDS} seconds.")
        except ConnectionError:
            return Outcome(End.FAILED, child.last_words() or "It ended before it answered.")
        if not session:
            return Outcome(End.NO_SESSION, "It does not know the session any more.")
        ear.begin(session)
        return await _turn(connection, session, order.prompt, child, ear)


async def _turn(
    connection: ClientSideConnection, session: str, prompt: str, child: Child, ear: Ear
) -> Outcome:
    turn = asyncio.create_task(connection.prompt(session, [acp.text_block(prompt)]))
    asked = asyncio.create_task(ear.asked.wait())
    ended = asyncio.create_task(_end_of(child))
    await asyncio.wait([turn, asked, ended], return_when=asyncio.FIRST_COMPLETED)
    if asked.done() and not turn.done():
        await connection.cancel(session)
        await asyncio.wait([turn, ended], timeout=_LAST_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    for task in (asked, ended):
        task.cancel()
    ear.end_line()
    return _outcome(turn, ear, child)


async def _end_of(child: Child) -> None:
    """It may end within its turn, and then nobody answers."""
    while child.process.poll() is None:
        await asyncio.sleep(_LOOK_SECONDS)
    # What it said last is on its way.
    await asyncio.sleep(_LOOK_SECONDS)


def _outcome(turn: "asyncio.Task[PromptResponse]", ear: Ear, child: Child) -> Outcome:
    if ear.question:
        turn.cancel()
        return Outcome(End.ASKED, ear.text, ear.question)
    if not turn.done() or turn.cancelled() or turn.exception():
        failure = turn.exception() if turn.done() and not turn.cancelled() else None
        turn.cancel()
        return Outcome(End.FAILED, str(failure or child.last_words() or "It ended within its turn."))
    answer = turn.result()
    ear.count(answer)
    if answer.stop_reason in _LIMITS:
        return Outcome(End.LIMIT, f"It has reached a limit: {answer.stop_reason}.")
    if answer.stop_reason in ("refusal", "cancelled"):
        return Outcome(End.FAILED, f"Its turn ended with {answer.stop_reason}. {ear.text}".strip())
    return Outcome(End.DONE, ear.text)


async def _session(connection: ClientSideConnection, order: Order, told: InitializeResponse) -> str:
    """A new one, or the one of before, by whichever way the agent knows."""
    servers: list[Any] = []
    if order.mcp:
        headers = [HttpHeader(name=name, value=value) for name, value in order.mcp.headers().items()]
        servers = [HttpMcpServer(type="http", name=SERVER, url=order.mcp.url, headers=headers)]
    folder = str(order.worktree)
    if not order.is_resumed:
        return (await connection.new_session(cwd=folder, mcp_servers=servers)).session_id
    able = told.agent_capabilities
    sessions = able.session_capabilities if able else None
    try:
        if sessions and sessions.resume is not None:
            await connection.resume_session(order.session, folder, mcp_servers=servers)
        elif able and able.load_session:
            await connection.load_session(folder, order.session, mcp_servers=servers)
        else:
            return ""
    except RequestError:
        return ""
    return order.session


@asynccontextmanager
async def _connected(child: Child, ear: Ear) -> AsyncIterator[ClientSideConnection]:
    """Over its pipes; once its input is closed it ends by itself, or is made to."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=_LONGEST_LINE)
    heard, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), child.process.stdout
    )
    said, protocol = await loop.connect_write_pipe(
        lambda: asyncio.streams.FlowControlMixin(loop), child.process.stdin
    )
    connection = acp.connect_to_agent(
        ear,  # type: ignore[arg-type]  # files and terminals are not offered
        asyncio.StreamWriter(said, protocol, None, loop),
        reader,
    )
    try:
        yield connection
    finally:
        await connection.close()
        said.close()
        child.stop_soon(_SECONDS_TO_LEAVE)
        await asyncio.to_thread(child.wait)
        heard.close()
        await asyncio.sleep(0)


def _chosen(options: list[PermissionOption], kinds: tuple[str, ...]) -> RequestPermissionResponse:
    for kind in kinds:
        for option in options:
            if option.kind == kind:
                return RequestPermissionResponse(
                    outcome=AllowedOutcome(outcome="selected", option_id=option.option_id)
                )
    return RequestPermissionResponse(outcome=DeniedOutcome(outcome="cancelled"))
