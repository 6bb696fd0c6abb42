"""Long texts: in their item while they are short enough, in S3 above that."""

from forge.errors import InvalidInput
from forge.store.blobs import Blobs
from forge.store.items import Part

MAX_INLINE = 100_000
"""In bytes of UTF-8; an item ends at 400 KB, and holds more than its text."""


class KeptText(Part):
    """Either the text itself, or where it is."""

    text: str = ""
    blob: str | None = None


def keep(blobs: Blobs, text: str, *, name: str) -> KeptText:
    """Written before the transaction that refers to it: if that fails, nobody ever finds it.

    `name` must be new with every text, so that a text that is in use is never overwritten.
    """
    if len(text.encode()) <= MAX_INLINE:
        return KeptText(text=text)
    return KeptText(blob=blobs.put_text(f"texts/{name}", text))


def read(blobs: Blobs, kept: KeptText) -> str:
    return blobs.get_text(kept.blob) if kept.blob else kept.text


def part_of(text: str, *, offset: int, limit: int, field: str = "offset") -> tuple[str, int | None]:
    """So many characters from there on, and where the rest begins, if there is any."""
    if offset and offset >= len(text):
        wrong = f"The text has {len(text)} characters."
        raise InvalidInput("There is nothing of the text from there on.", issues={field: wrong})
    end = offset + limit
    return text[offset:end], end if end < len(text) else None
