"""A model that follows a script, on loopback: real agents run against it without a key or the internet.

It answers the Messages API of Anthropic and the Responses API of OpenAI, streamed. It keeps no place: which
turn is next it counts from what it has said in the request's history, so that whatever is killed and resumed
goes on.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, NamedTuple

Body = dict[str, Any]

USAGE = {"input_tokens": 1200, "output_tokens": 50}


class Turn(NamedTuple):
    """One answer: a text, or a call of the tool whose name ends so. `{run}` and `{issue}` are filled in."""

    text: str = ""
    tool: str = ""
    arguments: Mapping[str, Any] = {}


@contextmanager
def serving(turns: Sequence[Turn]) -> Iterator[str]:
    """The address of a model that says this."""

    class Answering(_Answering):
        script = turns

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


class _Answering(BaseHTTPRequestHandler):
    script: Sequence[Turn] = ()
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._send(json.dumps({"object": "list", "data": [], "models": []}), "application/json")

    do_HEAD = do_GET  # noqa: N815 - as the library calls it

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        if "count_tokens" in self.path:
            self._send(json.dumps({"input_tokens": 1200}), "application/json")
            return
        is_messages = "/messages" in self.path
        said = _said_in_messages(body) if is_messages else _said_in_responses(body)
        tools = _tools(body)
        turn = self.script[said] if tools and said < len(self.script) else Turn("Done.")
        told = json.dumps(body)
        filled = {name: _filled(value, told) for name, value in turn.arguments.items()}
        write = _messages if is_messages else _responses
        events = write(turn, said, tools.get(turn.tool) or _ending(tools, turn.tool), filled)
        stream = "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events)
        self._send(stream, "text/event-stream")

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""

    def _send(self, text: str, kind: str) -> None:
        data = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


Named = tuple[str, str]
"""The name of a tool, and the namespace that it is in, if any."""


def _tools(body: Body) -> dict[str, Named]:
    found: dict[str, Named] = {}
    for tool in body.get("tools") or ():
        if tool.get("type") == "namespace":
            found |= {f"{tool['name']}__{one['name']}": (one["name"], tool["name"]) for one in tool["tools"]}
        elif tool.get("name"):
            found[tool["name"]] = (tool["name"], "")
    return found


def _ending(tools: Mapping[str, Named], wanted: str) -> Named:
    """One that is not shown can be called all the same, by its whole name."""
    return next(
        (known for name, known in tools.items() if name.endswith(wanted)), (f"mcp__forge__{wanted}", "")
    )


def _filled(value: Any, told: str) -> Any:
    if not isinstance(value, str):
        return value
    for name, pattern in (("{run}", r"run_[0-9A-Z]{26}"), ("{issue}", r"\b[A-Z]+-\d+\b(?=:)")):
        found = re.search(pattern, told)
        value = value.replace(name, found[0] if found else "")
    return value


def _said_in_messages(body: Body) -> int:
    return sum(1 for one in body.get("messages", ()) if one["role"] == "assistant")


def _said_in_responses(body: Body) -> int:
    given = body.get("input", [])
    return sum(
        1
        for one in (given if isinstance(given, list) else ())
        if one.get("type") == "function_call" or one.get("role") == "assistant"
    )


def _messages(turn: Turn, place: int, tool: Named, arguments: Body) -> list[Body]:
    start: Body = {"type": "text", "text": ""}
    delta: Body = {"type": "text_delta", "text": turn.text}
    if turn.tool:
        start = {"type": "tool_use", "id": f"toolu_{place}", "name": tool[0], "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(arguments)}
    message = {
        "id": f"msg_{place}",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": [],
    }
    stop = {"stop_reason": "tool_use" if turn.tool else "end_turn", "stop_sequence": None}
    return [
        {"type": "message_start", "message": {**message, "usage": {**USAGE, "output_tokens": 1}}},
        {"type": "content_block_start", "index": 0, "content_block": start},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": stop, "usage": USAGE},
        {"type": "message_stop"},
    ]


def _responses(turn: Turn, place: int, tool: Named, arguments: Body) -> list[Body]:
    item: Body = {"id": f"item_{place}", "status": "completed", "type": "message", "role": "assistant"}
    item["content"] = [{"type": "output_text", "text": turn.text, "annotations": []}]
    if turn.tool:
        item = {
            "id": f"item_{place}",
            "status": "completed",
            "type": "function_call",
            "call_id": f"call_{place}",
        }
        item |= {"name": tool[0], "arguments": json.dumps(arguments)}
        item |= {"namespace": tool[1]} if tool[1] else {}
    usage = {**USAGE, "total_tokens": 1250, "input_tokens_details": {"cached_tokens": 0}}
    whole = {"id": f"resp_{place}", "object": "response", "model": "scripted", "status": "completed"}
    return [
        {"type": "response.created", "response": {**whole, "output": [], "usage": None}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {**whole, "output": [item], "usage": usage}},
    ]
