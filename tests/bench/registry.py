"""The workload's tools, declared as Forge declares tools."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field, create_model

from forge.context import Context
from forge.contract.catalog import Catalog
from forge.contract.compiler import compile_catalog
from forge.contract.models import Model
from forge.contract.terms import Effect, Scope
from forge.contract.tools import AnyTool, Namespace
from tests.bench.workload import RECEIPT, Parameter, ToolSpec, tool_specs


class Receipt(Model):
    id: str
    identifier: str
    title: str
    status: str
    created_at: datetime
    label_ids: list[str]


_CREATED_AT = datetime.fromisoformat(str(RECEIPT["createdAt"]))
_namespaces: dict[str, Namespace] = {}


def open_catalog() -> Catalog:
    return Catalog.from_document(compile_catalog(_namespaces.values()))


def _declare(spec: ToolSpec) -> AnyTool:
    def handler(request: Any, ctx: Context) -> Receipt:
        return Receipt(
            id="iss_01JZX3V9Q6M2T8R4N7K5W1Y0AB",
            identifier="DEMO-42",
            title=request.title,
            status="TODO",
            created_at=_CREATED_AT,
            label_ids=request.label_ids,
        )

    handler.__annotations__["request"] = _input_of(spec)
    handler.__name__ = spec.name
    handler.__doc__ = spec.description
    namespace = _namespaces.setdefault(spec.namespace, Namespace(spec.namespace, "A part of the workload."))
    return namespace.tool(name=spec.verb, scopes=[Scope.WRITE_ISSUES], effect=Effect.MUTATING)(handler)


def _input_of(spec: ToolSpec) -> type[Model]:
    title, *optional = spec.parameters
    fields: dict[str, Any] = {
        parameter.name: (_hint(parameter, parameter.kind), None) for parameter in optional
    }
    fields[title.name] = (_hint(title, title.kind), ...)
    return create_model(spec.name.title(), __base__=Model, **fields)


def _hint(parameter: Parameter, kind: Any) -> Any:
    shown = kind if parameter.name == "title" else kind | None
    return Annotated[shown, Field(description=parameter.description, max_length=parameter.max_length)]


# The runner finds a tool as an attribute of its module.
globals().update({spec.name: _declare(spec) for spec in tool_specs()})
