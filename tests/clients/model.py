"""A model on loopback that makes the calls it was given, one after another, for agents that ask an address.

It keeps no place: which call is next is read from how many a request shows. So an agent that is killed and
goes on, goes on where it was.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, NamedTuple

_USAGE = {"input_tokens": 100, "output_tokens": 10}


WAITING = "I go on when I am told."


class Step(NamedTuple):
    """A call of the tool whose name ends so. A pattern stands for what it finds in what was told last."""

    tool: str
    arguments: Mapping[str, str | int | Mapping[str, str] | re.Pattern[str]] = {}
    after: re.Pattern[str] | None = None
    """What has to have been told: until then the model only says that it waits."""


@dataclass
class Model:
    steps: Sequence[Step]
    url: str = ""
    last_word: str = "All of it is done."
    requests: list[dict[str, Any]] = field(default_factory=list)
    """Those that offered tools, which are turns of the conversation."""

    @staticmethod
    def texts(request: Mapping[str, Any]) -> list[str]:
        """All texts and results of a turn's history, oldest first."""
        return [_text(block.get("content") or block.get("text") or "") for block in _blocks(request)]

    def answer(self, request: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Blocks of the message; whoever offers no tool wants a title."""
        if not request.get("tools"):
            return [{"type": "text", "text": "A title"}]
        self.requests.append(dict(request))
        made = sum(block["type"] == "tool_use" for block in _blocks(request))
        if made >= len(self.steps):
            return [{"type": "text", "text": self.last_word}]
        step, names = self.steps[made], [tool["name"] for tool in request["tools"]]
        if step.after and not any(map(step.after.search, self.texts(request))):
            return [{"type": "text", "text": WAITING}]
        name = next(name for name in names if name.endswith(step.tool))
        filled = {
            field: self._found(value) if isinstance(value, re.Pattern) else value
            for field, value in step.arguments.items()
        }
        return [{"type": "tool_use", "id": f"toolu_{made}", "name": name, "input": filled}]

    def _found(self, pattern: re.Pattern[str]) -> str:
        found = (pattern.search(text) for text in reversed(self.texts(self.requests[-1])))
        return next((one[1] for one in found if one), f"nothing that was told has {pattern.pattern}")


def _blocks(request: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for message in request["messages"]:
        content = message["content"]
        yield from content if isinstance(content, list) else [{"type": "text", "text": content}]


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(_text(part.get("text", "")) for part in content)
    return str(content)


def _events(blocks: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The message as it is streamed."""
    begun = {"id": "msg_1", "type": "message", "role": "assistant", "model": "scripted", "content": []}
    stops = {"stop_reason": None, "stop_sequence": None}
    yield {"type": "message_start", "message": {**begun, **stops, "usage": _USAGE}}
    for index, block in enumerate(blocks):
        if is_text := block["type"] == "text":
            empty: dict[str, object] = {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": block["text"]}
        else:
            empty = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    reason = "end_turn" if is_text else "tool_use"
    yield {"type": "message_delta", "delta": {**stops, "stop_reason": reason}, "usage": _USAGE}
    yield {"type": "message_stop"}


@contextmanager
def modelling(steps: Sequence[Step]) -> Iterator[Model]:
    model = Model(steps)

    class Answering(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            if "/count_tokens" in self.path:
                self._send("application/json", '{"input_tokens": 100}')
                return
            events = _events(model.answer(asked))
            lines = (f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
            self._send("text/event-stream", "".join(lines))

        def _send(self, kind: str, body: str) -> None:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body.encode())))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *said: object) -> None:
            """The requests are kept."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        model.url = f"http://127.0.0.1:{server.server_address[1]}"
        try:
            yield model
        finally:
            server.shutdown()
