"""Content blocks, and the smallest image and sound there are."""

from typing import Any

Block = dict[str, Any]

# One red pixel, and one silent sample.
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA=="

IMAGE: Block = {"type": "image", "data": PNG, "mimeType": "image/png"}
AUDIO: Block = {"type": "audio", "data": WAV, "mimeType": "audio/wav"}


def text(value: str) -> Block:
    return {"type": "text", "text": value}


def embedded(uri: str, mime_type: str, value: str) -> Block:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "text": value}}


def tool_result(*blocks: Block, is_error: bool = False) -> dict[str, Any]:
    return {"content": list(blocks), "isError": is_error}


def prompt_result(*blocks: Block) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": block} for block in blocks]}
