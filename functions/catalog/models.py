"""What one asks of the catalog, and how it answers."""

from typing import Annotated, Any

from pydantic import Field

from forge.contract.fields import up_to
from forge.contract.models import Model


class SearchTools(Model, rare=["limit"]):
    query: Annotated[str, Field(min_length=1, max_length=200, description="What you want to do.")]
    limit: Annotated[int, up_to(50)] = 10


class FoundTool(Model):
    name: str
    description: str
    score: float


class DescribeTools(Model):
    names: Annotated[
        list[str], Field(min_length=1, max_length=20, description="Tool names, in either spelling.")
    ]


class ToolDescription(Model):
    name: str
    description: str
    input_schema: dict[str, Any]
    scopes: list[str]
    effect: str


class CallTool(Model):
    name: Annotated[str, Field(min_length=1, max_length=100, description="The tool.")]
    arguments: Annotated[dict[str, Any], Field(description="Its arguments.", default_factory=dict)]
