"""Prompts, resources, skills and completion, as both eras of MCP and REST answer them. Few ask for any."""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

from forge.context import Call, Caller, Door
from forge.contract.contents import MARKDOWN
from forge.contract.offers import Completion, Offers
from forge.contract.prompts import Prompt
from forge.contract.skills import SCHEME, Skills
from forge.errors import DomainError, Forbidden, InvalidInput, NotFound
from forge.jsontext import decode, encode, quote
from forge.wire.exchange import Exchange
from forge.wire.identity import has_canonical_names
from forge.wire.protocol import Params, ProtocolError
from forge.wire.skills import skill_of
from forge.wire.switchboard import Switchboard, arguments_of

MAX_WORDS = 100
"""What the protocol allows in one answer."""


def answer(method: str, params: Params, exchange: Exchange, switchboard: Switchboard) -> str:
    """The answer to one of the methods of MCP that are about none of the tools, or why there is none."""
    canonical_names = has_canonical_names(exchange.request)
    call = Call(exchange.request.id, Door.RPC, None, canonical_names)
    try:
        return Offered(switchboard, exchange.caller, call).answer(method, params, arguments_of(params))
    except DomainError as error:
        spelling = switchboard.catalog.spelling(canonical_names=canonical_names)
        spelt = spelling.error(error.as_object(exchange.request.id))
        sentence = " ".join(filter(None, (spelt["message"], spelt.get("hint"))))
        raise ProtocolError(error.wire.rpc_code, sentence, spelt) from None


class Offered:
    """What one caller is offered. Each method returns the members of its result as JSON text."""

    def __init__(self, switchboard: Switchboard, caller: Caller, call: Call) -> None:
        self._switchboard = switchboard
        self._offers: Offers = switchboard.catalog.offers()
        self._caller = caller
        self._call = call

    def answer(self, method: str, params: Params, arguments: Mapping[str, object]) -> str:
        answers: dict[str, Callable[[], str]] = {
            "prompts/list": self.prompts,
            "prompts/get": lambda: self.prompt(params, arguments),
            "resources/list": self.resources,
            "resources/templates/list": self.templates,
            "resources/read": lambda: self.read(params),
            "resources/directory/read": lambda: self.directory(params),
            "skills/list": self.skills,
            "skills/get": lambda: self.skill(params),
            "completion/complete": lambda: self.complete(params),
        }
        return answers[method]()

    def prompts(self) -> str:
        offered = self._offers.prompts_for(self._caller.scopes)
        return _members({"prompts": [prompt.mcp_entry() for prompt in offered]})

    def prompt(self, params: Params, arguments: Mapping[str, object]) -> str:
        prompt = self._offers.prompt(str(params.get("name")), self._caller.scopes)
        spelling = self._switchboard.catalog.spelling(canonical_names=self._call.canonical_names)
        text = spelling.text(prompt.filled_in(arguments))
        message = {"role": "user", "content": {"type": "text", "text": text}}
        return _members({"description": prompt.description, "messages": [message]})

    def resources(self) -> str:
        listed = self._listed(are_templates=False)
        return _members({"resources": [*listed, *(skill.resource() for skill in self._skills)]})

    def templates(self) -> str:
        return _members({"resourceTemplates": self._listed(are_templates=True)})

    def read(self, params: Params) -> str:
        uri = str(params.get("uri"))
        if uri.startswith(SCHEME):
            text = self._skills.read(uri)
            return _members({"contents": [{"uri": uri, "mimeType": MARKDOWN, "text": text}]})
        if uri.startswith("ui://"):
            from forge.wire import apps  # hosts that show any are few

            return apps.contents(uri)
        resource, variables = self._offers.resource_at(uri, self._caller.scopes)
        reader = self._switchboard.allow(self._offers.readers[resource.uri], self._caller)
        contents = self._switchboard.call(reader, variables, caller=self._caller, call=self._call)
        return f'"contents":[{{"uri":{quote(uri)},{contents[1:]}]'

    def directory(self, params: Params) -> str:
        return _members({"resources": self._skills.directory(str(params.get("uri")))})

    def skills(self) -> str:
        return _members({"skills": [skill.entry() for skill in self._skills]})

    def skill(self, params: Params) -> str:
        return _members({"skill": self._skills.get(str(params.get("uri"))).entry()})

    @cached_property
    def _skills(self) -> Skills:
        return Skills(skill_of(prompt) for prompt in self._offers.prompts_for(self._caller.scopes))

    def complete(self, params: Params) -> str:
        ref, argument = params.get("ref"), params.get("argument")
        if not (isinstance(ref, dict) and isinstance(argument, dict)):
            raise InvalidInput("completion/complete needs a `ref` and an `argument`, which are objects.")
        completion = self._completion(ref, str(argument.get("name")))
        typed = str(argument.get("value", ""))
        values, has_more = self._words(completion, typed) if completion else ([], False)
        found = {"values": values[:MAX_WORDS], "hasMore": has_more or len(values) > MAX_WORDS}
        return _members({"completion": found})

    def _listed(self, *, are_templates: bool) -> list[dict[str, str]]:
        offered = self._offers.resources_for(self._caller.scopes)
        return [one.mcp_entry() for one in offered if bool(one.variables) is are_templates]

    def _completion(self, ref: Mapping[str, Any], argument: str) -> Completion | None:
        """None where nobody can know the words."""
        kind, scopes = ref.get("type"), self._caller.scopes
        if kind == "ref/prompt":
            known = _completes(self._offers.prompt(str(ref.get("name")), scopes))
        elif kind == "ref/resource":
            resource, _ = self._offers.resource_at(str(ref.get("uri")), scopes)
            known = dict.fromkeys(resource.variables, "") | dict(resource.completes)
        else:
            raise InvalidInput("A ref is a ref/prompt with its name, or a ref/resource with its uri.")
        if argument not in known:
            takes = ", ".join(known) or "none"
            raise NotFound(f"There is no argument {argument[:80]!r} to complete.", hint=f"It takes: {takes}.")
        return self._offers.completions.get(known[argument])

    def _words(self, completion: Completion, typed: str) -> tuple[list[str], bool]:
        """Of the first page, and where that has few, of what the tool finds by the words."""
        try:
            rows, has_more = self._rows(completion, completion.arguments)
            found = fitting(rows, completion, typed)
            if completion.query and typed.strip() and has_more and len(found) < MAX_WORDS:
                asked = {**completion.arguments, completion.query: typed}
                more, has_more = self._rows(completion, asked)
                found = [*dict.fromkeys([*found, *_values(more, completion)])]
        except (Forbidden, InvalidInput):
            # Who may not list them, or typed what nothing can be found by, is offered none.
            return [], False
        return found, has_more

    def _rows(
        self, completion: Completion, arguments: Mapping[str, Any]
    ) -> tuple[list[dict[str, Any]], bool]:
        tool = self._switchboard.allow(self._switchboard.catalog.get(completion.tool), self._caller)
        answer = decode(self._switchboard.call(tool, arguments, caller=self._caller, call=self._call))
        return answer["data"], "nextCursor" in answer or "truncated" in answer


def fitting(rows: Iterable[Mapping[str, Any]], completion: Completion, typed: str) -> list[str]:
    """Values that begin with what was typed, then those of rows that have it elsewhere."""
    wanted = typed.strip().casefold()
    first = [value for value in _values(rows, completion) if value.casefold().startswith(wanted)]
    fields = (completion.value, *completion.also)
    then = [row for row in rows if any(wanted in str(row.get(field, "")).casefold() for field in fields)]
    return [*dict.fromkeys([*first, *_values(then, completion)])]


def _values(rows: Iterable[Mapping[str, Any]], completion: Completion) -> list[str]:
    found = (str(row[completion.value]) for row in rows if row.get(completion.value))
    return [value.removeprefix(completion.without) for value in found]


def _completes(prompt: Prompt) -> dict[str, str]:
    return {one.name: one.completes for one in prompt.arguments}


def _members(result: Mapping[str, Any]) -> str:
    return encode(result)[1:-1]
