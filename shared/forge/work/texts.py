"""Long texts: in their item while they are short enough, in S3 above that."""

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
