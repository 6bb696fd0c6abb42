"""Follows what happens over the event stream, without a URL of its own: misses nothing, repeats nothing."""

import json
import os
import sys
from collections.abc import Iterator
from time import sleep
from typing import Any, NamedTuple
from urllib.parse import urlencode
from urllib.request import Request, urlopen


class Answer(NamedTuple):
    """What one answer told: its events, where to go on, and how long to wait before that."""

    events: list[dict[str, Any]]
    place: str | None
    seconds: float


def read(lines: Iterator[str]) -> Answer:
    """Of server-sent events only what matters here: `data`, the last `id` and `retry`."""
    events, place, seconds = [], None, 1.0
    for line in lines:
        name, _, value = line.rstrip("\n").partition(": ")
        if name == "data":
            events.append(json.loads(value))
        elif name == "id":
            place = value
        elif name == "retry":
            seconds = int(value) / 1000
    return Answer(events, place, seconds)


def follow(
    url: str, key: str, *, subject: str = "", since: str = "", answers: int | None = None
) -> Iterator[dict[str, Any]]:
    """Each event once. An answer ends when it has told something, or after 20 seconds; then ask again."""
    place: str | None = None
    asked = 0
    while answers is None or asked < answers:
        headers = {"Authorization": f"Bearer {key}", **({"Last-Event-ID": place} if place else {})}
        query = urlencode({"subject": subject, "since": since})
        with urlopen(Request(f"{url}/api/events/stream?{query}", headers=headers), timeout=35) as response:
            answer = read(line.decode() for line in response)
        yield from answer.events
        place, asked = answer.place or place, asked + 1
        sleep(answer.seconds)


if __name__ == "__main__":
    subject = sys.argv[1] if len(sys.argv) > 1 else ""
    for event in follow(os.environ["FORGE_URL"], os.environ["FORGE_KEY"], subject=subject):
        print(event["createdAt"], event["kind"], event["subjectType"], event["subjectId"], flush=True)
