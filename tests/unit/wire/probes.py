"""A namespace that exists only for these tests: tools that answer, fail and crash on demand."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from forge.context import Context
from forge.contract.catalog import Catalog
from forge.contract.compiler import compile_catalog
from forge.contract.models import Model, NoArguments
from forge.contract.terms import Actor, Effect, Scope, Surface
from forge.contract.tools import Namespace
from forge.errors import Conflict, DomainError, InvalidInput
from forge.testing.world import World
from forge.wire.edge import Options

CRASH_MESSAGE = "the database password is hunter2"

namespace = Namespace("probe", "Tools that do what a test needs.")


def retell(error: DomainError, arguments: Mapping[str, object]) -> dict[str, object] | None:
    """In words of its own, unless the arguments are at fault."""
    if isinstance(error, InvalidInput):
        return None
    return {"success": False, "code": error.code.upper(), "given": len(arguments)}


envelope_namespace = Namespace(
    "envelope", "Tools whose contract tells failures as values.", bare_names=True, retells=retell
)
operator_namespace = Namespace("operator", "A tool that only operators reach.", surface=Surface.ADMIN)


class Say(Model):
    text: Annotated[str, Field(max_length=1000, description="What to say back.")]


class Said(Model):
    text: str
    idempotency_key: str | None
    session_id: str


class Nothing(Model):
    """An answer without any field."""


@namespace.tool(scopes=[Scope.READ_ISSUES], effect=Effect.READ_ONLY)
def echo(request: Say, ctx: Context) -> Said:
    """Say it back, with what came along with the call."""
    return Said(text=request.text, idempotency_key=ctx.call.idempotency_key, session_id=ctx.caller.session_id)


@namespace.tool(scopes=[], effect=Effect.READ_ONLY)
def current(request: NoArguments, ctx: Context) -> Nothing | None:
    """Answer that there is nothing."""
    return None


@namespace.tool(scopes=[Scope.WRITE_ISSUES], effect=Effect.MUTATING)
def crash(request: NoArguments, ctx: Context) -> Nothing:
    """Fail in a way that nobody foresaw."""
    raise RuntimeError(CRASH_MESSAGE)


@namespace.tool(scopes=[Scope.WRITE_ISSUES], effect=Effect.MUTATING)
def refuse(request: NoArguments, ctx: Context) -> Nothing:
    """Fail as a tool is meant to fail."""
    raise Conflict("The state moved.", hint="Read it again.", details={"version": 2})


@namespace.tool(scopes=[], effect=Effect.READ_ONLY, actor=Actor.AGENT)
def for_agents(request: Say, ctx: Context) -> Nothing:
    """Answer to agents only."""
    return Nothing()


@envelope_namespace.tool(scopes=[Scope.WRITE_ISSUES], effect=Effect.MUTATING)
def lose_race(request: NoArguments, ctx: Context) -> Nothing:
    """Fail as another contract tells it."""
    raise Conflict("Somebody was first.")


@envelope_namespace.tool(scopes=[Scope.WRITE_ISSUES], effect=Effect.MUTATING)
def break_down(request: NoArguments, ctx: Context) -> Nothing:
    """Fail in a way that nobody foresaw, and tell that in the words of the contract, too."""
    raise RuntimeError(CRASH_MESSAGE)


@operator_namespace.tool(scopes=[Scope.ADMIN], effect=Effect.READ_ONLY)
def inspect(request: NoArguments, ctx: Context) -> Nothing:
    """Answer to operators."""
    return Nothing()


def probe_catalog() -> Catalog:
    compiled = [compile_catalog([space]) for space in (namespace, operator_namespace, envelope_namespace)]
    return Catalog.from_document({"tools": [tool for document in compiled for tool in document["tools"]]})


def a_probe_world(options: Options | None = None) -> World:
    """A Forge whose only tools are the ones above."""
    return World(catalog=probe_catalog(), options=options)
