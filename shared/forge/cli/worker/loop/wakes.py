"""Hearing that something happened, which may mean work: a reason to look, and no more than that."""

from collections.abc import Callable
from threading import Event, Thread

import httpx

from forge.cli.worker.server.client import Where
from forge.wire.paths import STREAM_PATH

_LONGEST_ANSWER = 40.0
_PAUSE, _LONGEST_PAUSE = 0.3, 60.0


class Wakes:
    """Without the scope for events, or while nobody answers, looking once in a while is all there is."""

    def __init__(self, where: Where, http: httpx.Client) -> None:
        self._where = where
        self._http = http
        self._ring: Callable[[], None] = lambda: None
        self._last = ""
        self._over = Event()

    def ring_to(self, ring: Callable[[], None]) -> None:
        self._ring = ring

    def start(self) -> None:
        Thread(target=self._follow, daemon=True).start()

    def stop(self) -> None:
        self._over.set()

    def _follow(self) -> None:
        pause = _PAUSE
        while not self._over.wait(pause):
            headers = {"authorization": f"Bearer {self._where.key}"}
            headers |= {"last-event-id": self._last} if self._last else {}
            try:
                answer = self._http.get(
                    f"{self._where.url}{STREAM_PATH}", headers=headers, timeout=_LONGEST_ANSWER
                )
            except httpx.HTTPError:
                pause = min(pause * 2, _LONGEST_PAUSE)
                continue
            if not answer.is_success:
                # Without the scope it stays so; behind a gateway it may change.
                pause = _LONGEST_PAUSE if answer.status_code < 500 else min(pause * 2, _LONGEST_PAUSE)
                continue
            pause = _PAUSE
            if self._take(answer.text):
                self._ring()

    def _take(self, text: str) -> bool:
        """Whether it tells of anything."""
        ids = [line.removeprefix("id:").strip() for line in text.splitlines() if line.startswith("id:")]
        self._last = ids[-1] if ids else self._last
        return any(line.startswith("data:") for line in text.splitlines())
