"""Which types of files there may be, what may be done with each, and how their names travel. Pure."""

import re
from urllib.parse import quote

from forge.store.physical import UPLOADS

_TEXTS = frozenset({"text/plain", "text/markdown", "text/csv", "text/html", "text/xml"})
_DATA = frozenset({"application/json", "application/xml"})
_PICTURES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
_SVG = "image/svg+xml"
_PDF = "application/pdf"
_OFFICE = frozenset(
    {
        "application/msword",
        "application/vnd.ms-excel",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    }
)
_SOUNDS = frozenset({f"audio/{name}" for name in ("mp4", "mpeg", "ogg", "wav", "webm")})
_FILMS = frozenset({f"video/{name}" for name in ("mp4", "ogg", "quicktime", "webm")})

INLINE = _PICTURES | _TEXTS | _DATA | {_PDF}
"""What a model can read out of an answer."""
ALLOWED = INLINE | _OFFICE | _SOUNDS | _FILMS | {_SVG, "application/zip"}
_ACTIVE = frozenset({_SVG, "text/html", "text/xml", "application/xml"})
"""What a browser would run in the name of whoever serves it."""

LINK_TYPE = "text/url"
MAX_SIZE = 25 * 1024 * 1024
MAX_INLINE = 2 * 1024 * 1024
"""Above it, an answer would not fit through Lambda."""

_LONGEST_SAFE = 120
_ID = re.compile(r"att_[A-Za-z0-9]{1,40}")
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")


def plain_type(given: str) -> str:
    """A type as it is compared and signed: without parameters, in lower case."""
    return given.partition(";")[0].strip().lower()


def served_type(mime_type: str) -> str:
    """The type that a download says: nothing that runs."""
    return "application/octet-stream" if mime_type in _ACTIVE else mime_type


def object_name(
    workspace_id: str, target_type: str, target_id: str, *, attachment_id: str, filename: str
) -> str:
    """Where a file is in the bucket. Its name is data and no path; the end of a long one says its type."""
    safe = _UNSAFE.sub("_", filename)[-_LONGEST_SAFE:]
    return f"{workspace_id}/attachments/{target_type}/{target_id}/{attachment_id}-{safe}"


def upload_name(name: str) -> str:
    """Where the bytes are sent to: not where they are kept, or whoever has the URL could swap them later."""
    return f"{UPLOADS}{name}"


def id_in(name: str) -> str:
    """The attachment's id in the name of its object; nothing where it is no such name."""
    found = name.rpartition("/")[2].partition("-")[0]
    return found if _ID.fullmatch(found) else ""


def disposition(filename: str) -> str:
    """Always to be saved and never to be shown; the name in full, and in ASCII for who reads only that."""
    return (
        f"attachment; filename=\"{_UNSAFE.sub('_', filename)}\"; filename*=UTF-8''{quote(filename, safe='')}"
    )
