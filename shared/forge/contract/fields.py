"""Argument types that many tools share, so that each is described once."""

from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, GetJsonSchemaHandler, StringConstraints
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from forge.contract.models import Model
from forge.contract.references import Kind, Refers


def _says_something(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank")
    return text


SAYS_SOMETHING = AfterValidator(_says_something)
"""Of a text that is kept as it was written, spaces and all: some of it must be more than those."""

Id = Annotated[str, StringConstraints(min_length=1, max_length=40)]
_Said = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)]

IssueId = Annotated[Id, Refers(Kind.ISSUE), Field(description="The issue: its id, or e.g. DEMO-12.")]
StatusRef = Annotated[_Said, Refers(Kind.STATUS)]
AgentRef = Annotated[_Said, Refers(Kind.AGENT)]
PersonRef = Annotated[_Said, Refers(Kind.PERSON)]
LabelRef = Annotated[_Said, Refers(Kind.LABEL)]
ProjectRef = Annotated[_Said, Refers(Kind.PROJECT)]
InitiativeRef = Annotated[_Said, Refers(Kind.INITIATIVE)]
CycleRef = Annotated[_Said, Refers(Kind.CYCLE)]
RuntimeRef = Annotated[_Said, Refers(Kind.RUNTIME)]
CrewRef = Annotated[_Said, Refers(Kind.CREW)]

StatusSubject = Annotated[
    _Said, Refers(Kind.STATUS, is_subject=True), Field(description="The status: its id or name.")
]
AgentSubject = Annotated[
    _Said, Refers(Kind.AGENT, is_subject=True), Field(description="The agent: its id or profileKey.")
]
PersonSubject = Annotated[
    _Said, Refers(Kind.PERSON, is_subject=True), Field(description="The person: their user id, handle or me.")
]
LabelSubject = Annotated[
    _Said, Refers(Kind.LABEL, is_subject=True), Field(description="The label: its id or name.")
]
ProjectSubject = Annotated[
    _Said, Refers(Kind.PROJECT, is_subject=True), Field(description="The project: its id, key or name.")
]
InitiativeSubject = Annotated[
    _Said,
    Refers(Kind.INITIATIVE, is_subject=True),
    Field(description="The initiative: its id, slug or name."),
]
CycleSubject = Annotated[
    _Said, Refers(Kind.CYCLE, is_subject=True), Field(description="The cycle: its id, name or current.")
]
RuntimeSubject = Annotated[
    _Said, Refers(Kind.RUNTIME, is_subject=True), Field(description="The runtime: its id or name.")
]

CrewSubject = Annotated[
    _Said, Refers(Kind.CREW, is_subject=True), Field(description="The crew: its id or name.")
]

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)]
Cursor = Annotated[str | None, Field(max_length=1000, description="nextCursor of the last page.")]
LongText = Annotated[str, StringConstraints(max_length=50_000)]
SomeText = Annotated[str, StringConstraints(min_length=1, max_length=50_000), SAYS_SOMETHING]


def _split_at_commas(given: object) -> object:
    """`id,title` is how one writes it elsewhere; what looks like JSON is left to be read as such."""
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not any(isinstance(text, str) and "," in text for text in texts):
        return given
    if isinstance(given, str) and given.lstrip().startswith("["):
        return given
    parts = [part for text in texts for part in (text.split(",") if isinstance(text, str) else [text])]
    names = [part.strip() if isinstance(part, str) else part for part in parts]
    return [name for name in names if name != ""]


Fields = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=60)]] | None,
    BeforeValidator(_split_at_commas),
    Field(max_length=40, description="Only these fields of each row."),
]
"""The input of a list whose rows can be slimmed; `forge.work.issues.pages.listing` knows its names."""


def up_to(most: int, what: str = "") -> Any:
    """Of a `limit`: how many a page may have at most, and of what where this is not plain."""
    return Field(ge=1, le=most, description=f"How many{what and ' '}{what} at most.")


Limit = Annotated[int, up_to(100)]


class Paged(Model):
    """The input of a tool that answers a page; one that has another bound or default says `limit` again."""

    limit: Limit = 50
    cursor: Cursor = None

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler, /
    ) -> JsonSchemaValue:
        """What a tool itself asks for is published first."""
        schema = super().__get_pydantic_json_schema__(core_schema, handler)
        properties = handler.resolve_ref_schema(schema)["properties"]
        for name in ("limit", "cursor", "fields"):
            if name in properties:
                properties[name] = properties.pop(name)
        return schema


class PagedRows(Paged):
    """The same where callers may choose the fields of each row."""

    fields: Fields = None
