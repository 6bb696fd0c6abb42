"""`Offering`: the one place where anything is said about a prompt, a resource or a completion."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypedDict, TypeVar, Unpack

from forge.context import Context
from forge.contract.contents import MARKDOWN, Contents
from forge.contract.effects import Cost
from forge.contract.handlers import description, signature
from forge.contract.models import Model
from forge.contract.offers import Completion, Resource
from forge.contract.prompts import Prompt, PromptArgument
from forge.contract.terms import Effect, Scope, Surface
from forge.contract.tools import AnyTool, Namespace, Tool

AddressT = TypeVar("AddressT", bound=Model)
DeclaredT = TypeVar("DeclaredT")


class Completing(TypedDict, total=False):
    """What may be said of a completion besides its tool: see `Completion`."""

    also: tuple[str, ...]
    arguments: Mapping[str, Any]
    query: str
    without: str


class Offering:
    """What a namespace offers besides its tools. Its module is loaded when something of it is read."""

    def __init__(self, namespace: Namespace) -> None:
        self.namespace = namespace.name
        self.prompts: dict[str, Prompt] = {}
        self.completions: dict[str, Completion] = {}
        self.resources: dict[str, Resource] = {}
        self.readers: dict[str, AnyTool] = {}
        """What reads each resource, by its address."""

    def prompt(
        self,
        name: str,
        *,
        title: str,
        description: str,
        text: str,
        scopes: Iterable[Scope],
        arguments: Sequence[PromptArgument] = (),
    ) -> None:
        """Declare a prompt; see `Prompt`."""
        needed = tuple(scope.value for scope in scopes)
        _add(self.prompts, name, Prompt(name, title, description, text, needed, tuple(arguments)))

    def completion(self, name: str, tool: AnyTool, value: str, **words: Unpack[Completing]) -> None:
        """Declare words for what somebody is typing; see `Completion`."""
        _add(self.completions, name, Completion(name, tool.name, value, **words))

    def resource(
        self,
        uri: str,
        *,
        title: str,
        scopes: Iterable[Scope],
        costs: Cost,
        completes: Mapping[str, str] | None = None,
        mime_type: str = MARKDOWN,
    ) -> Callable[[Callable[[AddressT, Context], Contents]], Tool[AddressT, Contents]]:
        """Declare a resource by what reads it, which takes the variables of its address; see `Resource`."""

        def declare(handler: Callable[[AddressT, Context], Contents]) -> Tool[AddressT, Contents]:
            reader = self._reader(uri, handler, tuple(scopes), costs)
            declared = Resource(
                uri,
                title,
                reader.description,
                mime_type,
                tuple(scope.value for scope in reader.scopes),
                self.namespace,
                handler.__module__,
                handler.__name__,
                completes or {},
            )
            if {*declared.variables} != {*reader.input.model_fields}:
                raise TypeError(f"{uri}: {handler.__qualname__} takes other fields than its variables")
            _add(self.resources, uri, declared)
            self.readers[uri] = reader
            return reader

        return declare

    def _reader(
        self,
        uri: str,
        handler: Callable[[AddressT, Context], Contents],
        scopes: tuple[Scope, ...],
        costs: Cost,
    ) -> Tool[AddressT, Contents]:
        return Tool(
            name=uri,
            namespace=self.namespace,
            description=description(handler, ""),
            handler=handler,
            **signature(handler, ()),
            scopes=scopes,
            effect=Effect.READ_ONLY,
            surface=Surface.RESOURCE,
            costs=costs,
        )


def _add(declared: dict[str, DeclaredT], name: str, one: DeclaredT) -> None:
    if name in declared:
        raise TypeError(f"{name} is declared twice")
    declared[name] = one
