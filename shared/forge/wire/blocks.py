"""Files in answers over MCP: a picture as one, a text as text, anything else as a resource beside its data.

Loaded with the first file, because the router starts without base64.
"""

from base64 import b64decode
from typing import Any

from forge.jsontext import decode, encode

_TEXT_TYPES = ("text/", "application/json", "application/xml")


def file_blocks(text: str, *, content: str, kind: str) -> str:
    """The members of a result that is a file: its bytes once, as a model takes them, and its data."""
    described = decode(text)
    data = described.pop(content)
    uri = f"forge://{kind}/{described['id']}"
    blocks = [_block(data, described["mimeType"], uri), {"type": "text", "text": encode(described)}]
    return f'"content":{encode(blocks)},"isError":false'


def _block(data: str, mime_type: str, uri: str) -> dict[str, Any]:
    if mime_type.startswith("image/"):
        return {"type": "image", "data": data, "mimeType": mime_type}
    if mime_type.startswith(_TEXT_TYPES) and (said := _text_of(data)) is not None:
        return {"type": "text", "text": said}
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "blob": data}}


def _text_of(data: str) -> str | None:
    """None where the bytes are in another encoding than their reader's."""
    try:
        return b64decode(data).decode()
    except UnicodeDecodeError:
        return None
