"""Argument types that many tools share, so that each is described once."""

from typing import Annotated

from pydantic import Field, StringConstraints

Id = Annotated[str, StringConstraints(min_length=1, max_length=40)]

IssueId = Annotated[Id, Field(description="The issue: its id, or e.g. DEMO-12.")]
ProjectId = Annotated[Id, Field(description="The project's id.")]
Cursor = Annotated[str | None, Field(max_length=1000, description="nextCursor of the last page.")]
LongText = Annotated[str, StringConstraints(max_length=50_000)]
SomeText = Annotated[str, StringConstraints(min_length=1, max_length=50_000)]
