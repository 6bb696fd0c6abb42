"""A tool is declared once; a declaration that could mislead an agent fails at import."""

from dataclasses import FrozenInstanceError
from datetime import UTC, datetime
from typing import Any, cast

import pytest

from forge.context import Context
from forge.contract.handlers import MAX_DESCRIPTION
from forge.contract.models import Model, NoArguments, Omittable, Rendered
from forge.contract.terms import ANY_MODE, EXECUTE_ONLY, Actor, Effect, Scope, Surface
from forge.contract.tools import AnyTool, Namespace, Tool
from forge.errors import ErrorCode, InvalidInput

# The handlers here never look at it.
UNUSED_CONTEXT = cast(Context, object())


class Greet(Model):
    first_name: str


class Greeting(Model):
    greeting_text: str
    said_at: datetime | None = None
    title: Omittable[str] = None
    count: Omittable[int] = None


def greet(request: Greet, ctx: Context) -> Greeting:
    """Greet somebody.

    The wrapped lines of a docstring
    are one paragraph. Example: {"firstName": "Ada"}
    """
    return Greeting(greeting_text=f"Hello {request.first_name}")


def list_watchers(request: NoArguments, ctx: Context) -> Greeting | None:
    """List watchers."""


def import_(request: NoArguments, ctx: Context) -> Rendered:
    """Import, a word that Python keeps for itself."""
    return Rendered("{}")


def declared(handler: Any, *, namespace: Namespace | None = None, **options: Any) -> AnyTool:
    chosen = {"scopes": [Scope.READ_ISSUES], "effect": Effect.READ_ONLY} | options
    tool: AnyTool = (namespace or Namespace("people", "People.")).tool(**chosen)(handler)
    return tool


def test_a_declaration_reads_its_name_types_and_words_from_the_function() -> None:
    tool = declared(greet)

    assert (tool.name, str(tool), tool.portable_name) == ("people.greet", "people.greet", "people_greet")
    assert (tool.input, tool.output) == (Greet, Greeting)
    assert tool.description == (
        'Greet somebody.\n\nThe wrapped lines of a docstring are one paragraph. Example: {"firstName": "Ada"}'
    )


def test_unless_it_says_more_a_tool_is_open_to_anyone_in_any_mode_over_mcp() -> None:
    tool = declared(greet)

    assert (tool.actor, tool.modes, tool.surface) == (Actor.ANYONE, ANY_MODE, Surface.MCP)
    assert not tool.long


def test_what_a_declaration_says_is_kept() -> None:
    tool = declared(
        greet,
        scopes=iter([Scope.ADMIN, Scope.READ_USERS]),
        effect=Effect.MUTATING,
        modes=EXECUTE_ONLY,
        actor=Actor.AGENT,
        long=True,
    )

    assert tool.scopes == (Scope.ADMIN, Scope.READ_USERS)
    assert (tool.effect, tool.modes, tool.actor) == (Effect.MUTATING, EXECUTE_ONLY, Actor.AGENT)
    assert tool.long


@pytest.mark.parametrize(
    ("handler", "options", "name"),
    [
        (list_watchers, {}, "people.listWatchers"),
        (import_, {}, "people.import"),
        (greet, {"name": "context.bundle"}, "people.context.bundle"),
        (greet, {"name": "keep_this"}, "people.keep_this"),
    ],
)
def test_a_name_is_the_functions_in_camel_case_unless_it_is_given(
    handler: Any, options: dict[str, Any], name: str
) -> None:
    assert declared(handler, **options).name == name


def test_a_namespace_with_bare_names_leaves_them_as_they_are() -> None:
    namespace = Namespace("people", "People.", bare_names=True)

    names = [
        declared(list_watchers, namespace=namespace).name,
        declared(greet, namespace=namespace, name="say_hello").name,
    ]

    assert names == ["list_watchers", "say_hello"]
    assert {tool.namespace for tool in namespace.tools.values()} == {"people"}


def test_a_namespace_keeps_its_tools_by_name_on_its_surface() -> None:
    namespace = Namespace("people", "People.", surface=Surface.ADMIN)

    tool = declared(greet, namespace=namespace)

    assert namespace.tools == {"people.greet": tool}
    assert tool.surface is Surface.ADMIN


def test_scopes_are_those_of_the_tool_else_of_the_namespace_else_about_issues() -> None:
    usual = Namespace("people", "People.")
    other = Namespace("others", "Others.", reads=[Scope.READ_USERS], writes=[Scope.ADMIN])

    assert usual.reads()(greet).scopes == (Scope.READ_ISSUES,)
    assert usual.writes(name="import")(import_).scopes == (Scope.WRITE_ISSUES,)
    assert other.reads()(greet).scopes == (Scope.READ_USERS,)
    assert other.writes(name="import")(import_).scopes == (Scope.ADMIN,)
    assert other.reads(scopes=[])(list_watchers).scopes == ()
    assert usual.tools["people.import"].effect is Effect.MUTATING


def test_a_tool_declared_twice_fails() -> None:
    namespace = Namespace("people", "People.")
    declared(greet, namespace=namespace)

    with pytest.raises(TypeError):
        declared(list_watchers, namespace=namespace, name="greet")

    assert namespace.tools["people.greet"].handler is greet


def undocumented(request: Greet, ctx: Context) -> Greeting: ...  # type: ignore[empty-body]  # never called


def blank(request: Greet, ctx: Context) -> Greeting:  # type: ignore[empty-body]  # never called
    """ """


def too_long(request: Greet, ctx: Context) -> Greeting: ...  # type: ignore[empty-body]  # never called


def long_enough(request: Greet, ctx: Context) -> Greeting: ...  # type: ignore[empty-body]  # never called


too_long.__doc__ = "x" * (MAX_DESCRIPTION + 1)
long_enough.__doc__ = "x" * MAX_DESCRIPTION


def swapped(ctx: Context, request: Greet) -> Greeting:  # type: ignore[empty-body]  # never called
    """Take the arguments the wrong way round."""


def untyped(request, ctx) -> Greeting:  # type: ignore[no-untyped-def, empty-body]  # that is what is wrong
    """Say nothing of what it takes."""


def loose(request: dict[str, str], ctx: Context) -> Greeting:  # type: ignore[empty-body]  # never called
    """Take something that is not a model."""


def silent(request: Greet, ctx: Context):  # type: ignore[no-untyped-def]  # that is what is wrong
    """Say nothing of what it returns."""


@pytest.mark.parametrize("handler", [undocumented, blank, too_long, swapped, untyped, loose, silent])
def test_a_function_that_can_not_be_published_is_refused(handler: Any) -> None:
    namespace = Namespace("people", "People.")

    with pytest.raises(TypeError):
        declared(handler, namespace=namespace)

    assert namespace.tools == {}


def test_a_docstring_may_fill_the_limit() -> None:
    assert len(declared(long_enough).description) == 1000


@pytest.mark.parametrize("name", ["a b", "a-b", "é", "a/b", "n" * 34])
def test_a_name_that_clients_refuse_is_refused(name: str) -> None:
    with pytest.raises(TypeError):
        declared(greet, name=name)


def test_a_name_may_have_forty_characters_in_all() -> None:
    assert len(declared(greet, name="n" * 33).portable_name) == 40


@pytest.mark.parametrize("name", ["1st", "_private", "p"])
def test_a_bare_name_starts_with_a_letter_and_is_no_stump(name: str) -> None:
    with pytest.raises(TypeError):
        declared(greet, namespace=Namespace("people", "People.", bare_names=True), name=name)


@pytest.mark.parametrize(
    ("options", "hints"),
    [
        ({"effect": Effect.READ_ONLY}, {"readOnlyHint": True, "openWorldHint": False}),
        ({"effect": Effect.READ_ONLY, "open_world": True}, {"readOnlyHint": True, "openWorldHint": True}),
        (
            {"effect": Effect.MUTATING},
            {
                "readOnlyHint": False,
                "destructiveHint": False,
                "idempotentHint": False,
                "openWorldHint": False,
            },
        ),
        (
            {"effect": Effect.MUTATING, "idempotent": True, "destructive": True},
            {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True, "openWorldHint": False},
        ),
        (
            {"effect": Effect.EXTERNAL_EXEC},
            {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False, "openWorldHint": True},
        ),
    ],
)
def test_the_effect_decides_the_hints(options: dict[str, Any], hints: dict[str, bool]) -> None:
    assert declared(greet, scopes=[Scope.WRITE_ISSUES], **options).annotations == hints


def test_calling_a_tool_runs_its_handler() -> None:
    answer = declared(greet)(Greet(first_name="Ada"), UNUSED_CONTEXT)

    assert answer == Greeting(greeting_text="Hello Ada")


def test_a_tool_reads_the_arguments_of_its_own_model() -> None:
    tool = declared(greet)

    assert tool.parse({"firstName": "Ada"}) == Greet(first_name="Ada")
    with pytest.raises(InvalidInput) as caught:
        tool.parse({"first_name": "Ada"})
    assert caught.value.code is ErrorCode.INVALID_INPUT


def test_a_tool_does_not_change() -> None:
    tool = declared(greet)

    with pytest.raises(FrozenInstanceError):
        tool.name = "people.other"  # type: ignore[misc]  # that is what is refused


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (None, "null"),
        (Rendered('{"any": "text"}'), '{"any": "text"}'),
        (Greeting(greeting_text="é"), '{"greetingText":"é","saidAt":null}'),
        (Greeting(greeting_text="a", title=""), '{"greetingText":"a","saidAt":null,"title":""}'),
        (Greeting(greeting_text="a", count=0), '{"greetingText":"a","saidAt":null,"count":0}'),
        (
            Greeting(greeting_text="a", said_at=datetime(2026, 7, 28, 12, tzinfo=UTC)),
            '{"greetingText":"a","saidAt":"2026-07-28T12:00:00Z"}',
        ),
    ],
)
def test_an_answer_becomes_compact_json_without_what_was_left_open(
    answer: Model | Rendered | None, text: str
) -> None:
    assert Tool.render(answer) == text


def test_what_is_shown_once_is_not_in_the_answer_that_is_kept() -> None:
    tool = declared(greet, secrets=["greeting_text"])
    answer = Greeting(greeting_text="hunter2", count=3)

    kept = tool.render_without_secrets(answer)

    assert "hunter2" not in kept
    assert '"count":3' in kept
    assert "hunter2" in tool.render(answer)


@pytest.mark.parametrize("answer", [None, Rendered('{"any": "text"}'), Greeting(greeting_text="a")])
def test_an_answer_without_secrets_is_kept_as_it_is(answer: Model | Rendered | None) -> None:
    tool = declared(greet)

    assert tool.render_without_secrets(answer) == tool.render(answer)
