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


@pytest.mark.parametrize("name", ["rawKey", "raw_kye"])
def test_a_secret_that_is_no_output_field_is_refused(name: str) -> None:
    def make(request: NoArguments, ctx: Context) -> Secret:
        """Make one."""
        return Secret(raw_key="x")

    with pytest.raises(TypeError):
        declare(Namespace("things", "Things."), make, secrets=[name])


@pytest.mark.parametrize("asks", ["close it", [""], ["x" * (MAX_ASK + 1)], ["close it"] * (MAX_ASKS + 1)])
def test_phrases_without_bounds_are_refused(asks: Any) -> None:
    def make(request: NoArguments, ctx: Context) -> None:
        """Make one."""

    with pytest.raises(TypeError):
        declare(Namespace("things", "Things."), make, asks=asks)


def test_an_output_that_is_no_model_is_refused() -> None:
    def make(request: NoArguments, ctx: Context) -> str:
        """Make one."""
        return "x"

    with pytest.raises(TypeError):
        declare(Namespace("things", "Things."), make)


def test_a_handler_of_another_shape_is_refused() -> None:
    def make(request: NoArguments) -> None:
        """Make one."""

    with pytest.raises(TypeError):
        declare(Namespace("things", "Things."), make)


@pytest.mark.parametrize("name", ["get\n", "a..b", "a__b"])
def test_a_name_that_clients_would_split_or_refuse_is_refused(name: str) -> None:
    def make(request: NoArguments, ctx: Context) -> None:
        """Make one."""

    with pytest.raises(TypeError):
        declare(Namespace("things", "Things."), make, name=name)


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
