"""Calls of one worker: the same call again, under the same key, until somebody answers."""

from collections.abc import Callable, Mapping
from secrets import token_hex
from typing import Any, NamedTuple

import httpx

Body = dict[str, Any]

PATIENCE = 60.0
"""For what can be asked again later."""
FOR_EVER = float("inf")
_TIMEOUT_SECONDS = 35
_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 15.0
_LONGEST_WAIT = 300.0
"""Whatever a server, or what stands before it, wants."""
_TAKEN_OVER = "taken-over"
_OF_KEYS = ("unauthorized", "forbidden", "scope_required")


class Refused(Exception):
    """Forge's error, which will be the same the next time."""

    def __init__(self, answer: Mapping[str, Any], status: int) -> None:
        super().__init__(f"{answer.get('error')}: {answer.get('message')}")
        self.answer = dict(answer)
        self.status = status

    @property
    def code(self) -> str:
        return str(self.answer.get("error"))

    @property
    def reason(self) -> str:
        return str((self.answer.get("details") or {}).get("reason", ""))

    @property
    def is_taken_over(self) -> bool:
        """Another session of this agent has the work now."""
        return self.reason == _TAKEN_OVER

    @property
    def is_of_key(self) -> bool:
        """It was revoked, or its agent archived: the same call may be taken once somebody has mended that."""
        return self.code in _OF_KEYS


class Unreachable(Exception):
    """Nobody answered for as long as there was patience; the message says what was tried."""


class Stopping(Exception):
    """The worker ends: what was to be said is said after its next start."""


class Where(NamedTuple):
    url: str
    key: str
    session: str
    """Who this worker is, for as long as its folder is there: work that it claimed is given back to it."""


class Server:
    """`pause` waits so long and tells whether to give up; safe to be used by several threads."""

    def __init__(
        self,
        where: Where,
        http: httpx.Client,
        pause: Callable[[float], bool],
        jitter: Callable[[float], float],
    ) -> None:
        self.where = where
        self._http = http
        self._pause = pause
        self._jitter = jitter

    def call(
        self, tool: str, arguments: Mapping[str, Any], *, once: str = "", patience: float = PATIENCE
    ) -> Body:
        """The answer; `once` is the key under which it counts once, whoever repeats it."""
        key = once or token_hex()
        waited, pause = 0.0, _FIRST_PAUSE
        while True:
            problem, wanted = self._tried(tool, arguments, key)
            if isinstance(problem, dict):
                return problem
            wait = wanted if wanted is not None else self._jitter(pause)
            if waited + wait > patience:
                raise Unreachable(f"{tool} was not answered by {self.where.url}: {problem}")
            if self._pause(wait):
                raise Stopping
            waited, pause = waited + wait, min(pause * 2, _LONGEST_PAUSE)

    def _tried(self, tool: str, arguments: Mapping[str, Any], key: str) -> tuple[Body | str, float | None]:
        """The answer, or why there is none and how long to wait where the server says so."""
        try:
            response = self._http.post(
                f"{self.where.url}/api/mcp/{tool}", json=dict(arguments), headers=self._headers(key)
            )
        except httpx.HTTPError as problem:
            return str(problem) or type(problem).__name__, None
        body = _object_in(response)
        if response.is_success and body is not None:
            return body, None
        if response.status_code == 429 or response.status_code >= 500 or body is None:
            return f"{response.status_code} {response.text[:200]}", _seconds_in(response)
        if body.get("retryable"):
            return str(body.get("message")), _seconds_in(response)
        raise Refused(body, response.status_code)

    def _headers(self, key: str) -> dict[str, str]:
        return {
            "authorization": f"Bearer {self.where.key}",
            "x-forge-session": self.where.session,
            "idempotency-key": key,
        }


def http_client() -> httpx.Client:
    """Connections that are kept; many threads ask at once."""
    return httpx.Client(timeout=_TIMEOUT_SECONDS, limits=httpx.Limits(max_connections=100))


def _object_in(response: httpx.Response) -> Body | None:
    try:
        found = response.json()
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _seconds_in(response: httpx.Response) -> float | None:
    told = response.headers.get("retry-after", "")
    return min(float(told), _LONGEST_WAIT) if told.isdigit() else None
