"""Notes as they come in and go out."""

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, WithJsonSchema

from forge.contract.clearing import Changes, Clearable
from forge.contract.fields import Id, Limit, PagedRows, SomeText, up_to
from forge.contract.models import Model, Omittable
from forge.work.content.notes.notes import NoteKind, NoteStatus

Title = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)]
NoteId = Annotated[Id, Field(description="The note's id.")]
Include = Annotated[
    list[Literal["body"]],
    Field(max_length=1, description="`body`: whole texts, which are cut at 400 characters otherwise."),
]
Day = Annotated[date, WithJsonSchema({"type": "string"})]


class CreateNote(Model, rare=["status"]):
    body: Annotated[SomeText, Field(description="Markdown.")]
    title: Annotated[Title | None, Field(description="One line.")] = None
    pinned: Annotated[bool, Field(description="Whether it stays on top of the list.")] = False
    kind: Annotated[NoteKind, Field(description="JOURNAL is the one entry of a day.")] = NoteKind.NOTE
    journal_date: Annotated[
        Day | None,
        WithJsonSchema(
            {"type": "string", "description": "The day of a JOURNAL entry, as 2026-11-17; default today."}
        ),
    ] = None
    status: Annotated[NoteStatus, Field(description="How serious it is.")] = NoteStatus.IDEA


class ListNotes(PagedRows, rare=["fields"]):
    id: Annotated[Id | None, Field(description="Only this one, archived or not, of any kind.")] = None
    archived: Annotated[bool, Field(description="Those that are archived instead of the others.")] = False
    kind: Annotated[NoteKind, Field(description="Which kind.")] = NoteKind.NOTE
    include: Include = []
    limit: Limit = 20


class UpdateNote(Changes, rare=["status"]):
    id: NoteId
    title: Annotated[Title | None, Clearable(), Field(description="A new title.")] = None
    body: Annotated[SomeText | None, Field(description="The new text, all of it.")] = None
    pinned: Annotated[bool | None, Field(description="Whether it stays on top of the list.")] = None
    status: Annotated[
        Literal[NoteStatus.IDEA, NoteStatus.SOMEDAY, NoteStatus.ACTIVE] | None,
        Field(description="How serious it is; notes.archive ends it, and a person's status brings it back."),
    ] = None


class ArchiveNote(Model):
    id: NoteId


class ListJournal(PagedRows, rare=["fields"]):
    from_: Annotated[
        Day | None,
        WithJsonSchema({"type": "string", "description": "The first day, as 2026-11-01."}),
        Field(alias="from"),
    ] = None
    to: Annotated[
        Day | None, WithJsonSchema({"type": "string", "description": "The last day; it counts, too."})
    ] = None
    include: Include = []
    limit: Annotated[int, up_to(180)] = 30


class NoteView(Model):
    """`truncated` where `body` is only the beginning of the text."""

    id: str
    user_id: str | None
    agent_id: Omittable[str] = None
    title: str | None
    body: str
    truncated: Omittable[bool] = None
    pinned: bool
    kind: NoteKind
    status: NoteStatus
    journal_date: Omittable[str] = None
    archived_at: Omittable[datetime] = None
    created_at: datetime
    updated_at: datetime
