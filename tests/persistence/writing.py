"""Writers that remember what was acknowledged, and ask again, with the same key, for what was not."""

from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from threading import Event, Lock
from typing import Any

import httpx

from tests.integration.cli.dev_process import Dev

WRITERS = 4


class Writers:
    def __init__(self, *, repeats: bool = True) -> None:
        """Whether what was refused is asked for again, as the refusal says."""
        self._repeats = repeats
        self.acknowledged: dict[str, str] = {}
        """The ids of issues by their titles."""
        self.refused: set[str] = set()
        self._open: deque[str] = deque()
        self._numbers = count(1)
        self._lock = Lock()
        self._over = Event()

    @contextmanager
    def writing(self, dev: Dev) -> Iterator[None]:
        self._over.clear()
        with ThreadPoolExecutor(WRITERS) as pool:
            for _ in range(WRITERS):
                pool.submit(self._write, dev)
            try:
                yield
            finally:
                self._over.set()

    def finish(self, dev: Dev) -> None:
        """Ask again for everything that had no answer."""
        while self._open:
            self._ask(httpx.Client(timeout=30, trust_env=False), dev, self._open.popleft())

    def _write(self, dev: Dev) -> None:
        with httpx.Client(timeout=30, trust_env=False) as client:
            while not self._over.is_set():
                with self._lock:
                    title = self._open.popleft() if self._open else f"Issue {next(self._numbers)}"
                if not self._ask(client, dev, title):
                    self._over.wait(0.1)

    def _ask(self, client: httpx.Client, dev: Dev, title: str) -> bool:
        # An idempotency key counts for one API key: whoever asked first asks again.
        keys = dev.description["keys"]
        key = keys["owner" if int(title.split()[1]) % 2 else "member"]
        try:
            answer = client.post(
                f"{dev.base_url}/api/mcp/issues.create",
                json={"title": title},
                headers={"authorization": f"Bearer {key}", "idempotency-key": title},
            )
        except httpx.TransportError:
            self._open.append(title)
            return False
        if answer.status_code == 200:
            self.acknowledged[title] = answer.json()["id"]
            return True
        if answer.status_code == 503 and not self._repeats:
            self.refused.add(title)
        else:
            self._open.append(title)
        return False


def titles(dev: Dev) -> Counter[str]:
    """Of every issue there is, and how many bear it."""
    found: list[str] = []
    cursor: dict[str, Any] = {}
    while True:
        page = dev.call(
            "issues.list", {"limit": 100, **cursor}, key=dev.description["keys"]["readonly"]
        ).json()
        found += [issue["title"] for issue in page["data"]]
        if "nextCursor" not in page:
            return Counter(found)
        cursor = {"cursor": page["nextCursor"]}
