"""Argument types that many tools share, so that each is described once."""

from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

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
