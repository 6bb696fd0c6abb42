"""Declarations that would go wrong later are refused at once."""

import sys
from types import ModuleType
from typing import Any

import pytest

from forge.context import Context
from forge.contract.compiler import compile_catalog
from forge.contract.handlers import MAX_ASK, MAX_ASKS
from forge.contract.models import Model, NoArguments
from forge.contract.terms import Effect
from forge.contract.tools import Namespace


class Secret(Model):
    raw_key: str


def declare(namespace: Namespace, handler: Any, **more: Any) -> Any:
    return namespace.tool(scopes=[], effect=Effect.READ_ONLY, **more)(handler)


def make(request: NoArguments, ctx: Context) -> Secret:
    """Make one."""
    return Secret(raw_key="x")


def make_text(request: NoArguments, ctx: Context) -> str:
    """Make one that is no model."""
    return "x"


def make_alone(request: NoArguments) -> None:
    """Make one in another shape."""


@pytest.mark.parametrize(
    ("handler", "more"),
    [
        *[(make, {"secrets": [name]}) for name in ("rawKey", "raw_kye")],
        *[(make, {"asks": asks}) for asks in ("close it", [""], ["x" * (MAX_ASK + 1)])],
        (make, {"asks": ["close it"] * (MAX_ASKS + 1)}),
        *[(make, {"name": name}) for name in ("get\n", "a..b", "a__b")],
        (make_text, {}),
        (make_alone, {}),
    ],
)
def test_a_declaration_of_the_wrong_shape_is_refused(handler: Any, more: dict[str, Any]) -> None:
    declare(Namespace("things", "Things."), make, secrets=["raw_key"], asks=["close it"])

    with pytest.raises(TypeError):
        declare(Namespace("things", "Things."), handler, **more)


def test_two_tools_behind_one_function_name_do_not_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    namespace, module = Namespace("things", "Things."), ModuleType("things_under_test")

    def make(request: NoArguments, ctx: Context) -> None:
        """Make one."""

    make.__module__ = module.__name__
    module.make = declare(namespace, make, name="first")  # type: ignore[attr-defined]  # made here
    module.make = declare(namespace, make, name="second")  # type: ignore[attr-defined]  # made here
    monkeypatch.setitem(sys.modules, module.__name__, module)

    with pytest.raises(TypeError):
        compile_catalog([namespace])
