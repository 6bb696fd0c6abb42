"""Attachments as they come in and go out."""

from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from forge.contract.fields import SAYS_SOMETHING, Id, PagedRows
from forge.contract.models import Model
from forge.contract.synonyms import AlsoCalled
from forge.work.content.attachments.attachments import TargetType
from forge.work.content.attachments.media import ALLOWED, MAX_INLINE, MAX_SIZE, plain_type


def _allowed(given: str) -> str:
    mime_type = plain_type(given)
    if mime_type not in ALLOWED:
        raise ValueError(f"must be one of {', '.join(sorted(ALLOWED))}")
    return mime_type


def _has_no_control_characters(name: str) -> str:
    if not name.isprintable():
        raise ValueError("must hold no control characters")
    return name


Filename = Annotated[
    str, StringConstraints(min_length=1, max_length=255), AfterValidator(_has_no_control_characters)
]
MimeType = Annotated[str, StringConstraints(max_length=200), AfterValidator(_allowed)]
Target = Annotated[TargetType, Field(description="What targetId names.")]
TargetId = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=120),
    Field(description="An id, or a name: e.g. DEMO-12, the key of a project."),
]
AttachmentId = Annotated[Id, AlsoCalled("id"), Field(description="The attachment's id.")]


class InitUpload(Model):
    target_type: Target
    target_id: TargetId
    filename: Annotated[Filename, Field(description="As people shall see it.")]
    mime_type: Annotated[MimeType, Field(description="E.g. image/png; sent as Content-Type with the file.")]
    size: Annotated[int, Field(ge=1, le=MAX_SIZE, description="In bytes, exactly.")]


class FinalizeUpload(Model):
    attachment_id: Annotated[
        Id | None, AlsoCalled("id"), Field(description="What initUpload gave; or key.")
    ] = None
    key: Annotated[
        Annotated[str, SAYS_SOMETHING] | None,
        Field(max_length=600, description="What initUpload gave; or attachmentId."),
    ] = None
    base64: Annotated[
        Annotated[str, SAYS_SOMETHING] | None,
        Field(
            max_length=MAX_INLINE * 4 // 3 + 4,
            description="The bytes themselves, 2 MiB at most, where nothing can be sent to uploadUrl.",
        ),
    ] = None


class AttachLink(Model):
    target_type: Target
    target_id: TargetId
    external_url: Annotated[
        str,
        AlsoCalled("url"),
        StringConstraints(strip_whitespace=True, min_length=1, max_length=2048),
        Field(description="http:// or https://, of a public host."),
    ]
    link_title: Annotated[
        Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=255)] | None,
        AlsoCalled("title"),
        Field(description="Default the page's own title, or else its host."),
    ] = None


class ListAttachments(PagedRows):
    target_type: Target
    target_id: TargetId


class NamedAttachment(Model):
    attachment_id: AttachmentId


class GetInline(NamedAttachment):
    max_bytes: Annotated[
        int,
        Field(
            ge=1024,
            le=MAX_SIZE,
            description=f"A larger file is refused; one above {MAX_INLINE} bytes always is.",
        ),
    ] = 1_000_000


class Upload(Model):
    """PUT the bytes to `uploadUrl` with these headers, then finalize."""

    upload_url: str
    key: str
    attachment_id: str
    expires_in_seconds: int
    headers: dict[str, str]


class DownloadUrl(Model):
    url: str
    filename: str
    mime_type: str
    size: int
    expires_in_seconds: int


class InlineFile(Model):
    id: str
    mime_type: str
    size_bytes: int
    filename: str
    base64: str
