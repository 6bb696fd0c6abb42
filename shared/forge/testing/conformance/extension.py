"""Puts the fixtures into both eras' tables, in front of what is there."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from secrets import token_bytes

from forge.jsontext import decode, encode
from forge.testing.conformance import prompts, resources
from forge.testing.conformance.asking_tools import asking_tools
from forge.testing.conformance.fixtures import Answer, FixturePrompt, FixtureTool, Result, Run, always
from forge.testing.conformance.seal import Seal
from forge.testing.conformance.task_tools import FixtureTasks, NoFixture
from forge.testing.conformance.tools import LEGACY_TOOLS, MODERN_TOOLS
from forge.wire.exchange import Exchange, WholeResult
from forge.wire.methods import Era, Eras, Method
from forge.wire.protocol import TASKS, Params

_CAPABILITIES: Result = {"tools": {}, "resources": {}, "prompts": {}, "completions": {}, "logging": {}}
_LEGACY_CAPABILITIES: Result = _CAPABILITIES | {"resources": {"subscribe": True}}
_CACHE_HINTS: Result = {"ttlMs": 0, "cacheScope": "private"}


def extend(eras: Eras) -> Eras:
    seal = Seal(token_bytes(32))
    tasks = FixtureTasks(seal)
    return Eras(
        modern=_Fixtures(
            tools=(*MODERN_TOOLS, *asking_tools(seal), *tasks.tools()),
            prompts=prompts.MODERN_PROMPTS,
            hello="server/discover",
            capabilities=_CAPABILITIES | {"extensions": {TASKS: {}}},
            cache_hints=_CACHE_HINTS,
            tasks=tasks,
        ).within(eras.modern),
        legacy=_Fixtures(
            tools=LEGACY_TOOLS,
            prompts=prompts.PROMPTS,
            hello="initialize",
            capabilities=_LEGACY_CAPABILITIES,
            # Nothing is kept between two calls, so there is nothing for these to change.
            accepted=("logging/setLevel", "resources/subscribe", "resources/unsubscribe"),
        ).within(eras.legacy),
    )


@dataclass(frozen=True, slots=True)
class _Fixtures:
    """What is added to one era."""

    tools: tuple[FixtureTool, ...]
    prompts: tuple[FixturePrompt, ...]
    hello: str
    """The method that tells the capabilities."""
    capabilities: Result
    cache_hints: Result = field(default_factory=dict)
    accepted: tuple[str, ...] = ()
    tasks: FixtureTasks | None = None

    def within(self, era: Era) -> Era:
        own = era.methods
        entries = [tool.entry() for tool in self.tools]
        added = {name: _method(run, era) for name, run in self._runs().items()}
        changed = {
            self.hello: _changed(own[self.hello], lambda told: told | {"capabilities": self.capabilities}),
            "tools/list": _changed(own["tools/list"], lambda told: told | {"tools": told["tools"] + entries}),
            "tools/call": self._call(own["tools/call"], era),
            **self._tasks(own, era),
        }
        return Era({**own, **added, **changed}, era.common_members)

    def _runs(self) -> dict[str, Run]:
        def read(params: Params) -> Answer:
            return Answer(resources.read(params).result | self.cache_hints)

        return {
            "resources/list": always(resources.LISTING | self.cache_hints),
            "resources/templates/list": always(resources.TEMPLATES | self.cache_hints),
            "resources/read": read,
            "prompts/list": always(prompts.listing(self.prompts) | self.cache_hints),
            "prompts/get": prompts.getter(self.prompts),
            "completion/complete": prompts.complete,
            **{name: always({}) for name in self.accepted},
        }

    def _tasks(self, own: Mapping[str, Method], era: Era) -> dict[str, Method]:
        """The server's own, unless it is one that a fixture has begun."""
        runs = self.tasks.methods() if self.tasks else {}
        return {name: _either(_method(run, era), own[name]) for name, run in runs.items()}

    def _call(self, own: Method, era: Era) -> Method:
        methods = {tool.name: _method(tool.run, era) for tool in self.tools}

        def call(params: Params, exchange: Exchange) -> str | WholeResult:
            return methods.get(str(params.get("name")), own)(params, exchange)

        return call


def _method(run: Run, era: Era) -> Method:
    common = decode(f"{{{era.common_members.removeprefix(',')}}}")

    def method(params: Params, exchange: Exchange) -> WholeResult:
        answer = run(params)
        takes_stream = "text/event-stream" in exchange.request.headers.get("accept", "")
        notifications = tuple(encode(each) for each in answer.notifications) if takes_stream else ()
        # The fixture's own members win: its result may be of another type than the usual one.
        return WholeResult(encode(common | answer.result), notifications)

    return method


def _either(fixture: Method, own: Method) -> Method:
    def method(params: Params, exchange: Exchange) -> str | WholeResult:
        try:
            return fixture(params, exchange)
        except NoFixture:
            return own(params, exchange)

    return method


def _changed(own: Method, change: Callable[[Result], Result]) -> Method:
    """One of the server's own methods, whose members are text, with a change to what it tells."""

    def changed(params: Params, exchange: Exchange) -> str:
        told = decode(f"{{{own(params, exchange)}}}")
        return encode(change(told))[1:-1]

    return changed
