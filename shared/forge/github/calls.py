"""How GitHub is asked: within the time of the call, and once more where that helps and harms nothing."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from time import sleep as really_sleep
from typing import Any, NamedTuple
from urllib.parse import urlencode

from forge import deadline, jsontext
from forge.clock import random_between
from forge.github.failures import GitHubRefused, OutOfReach
from forge.github.retrying import Answer, Trouble, failure_of, trouble_with, wait_before_next
from forge.outbound.addresses import NOBODY_ELSE, Disallowed, Exceptions
from forge.outbound.orders import AnswerLimits, Order, Reply, Unreachable
from forge.outbound.outbound import Outbound
from forge.outbound.targets import target_of

Params = Mapping[str, str | int]

PUBLIC_GITHUB = "https://api.github.com"
MAX_ANSWER_BYTES = 8 * 1024 * 1024
"""A hundred issues with long texts are a few of them."""

_TRY_SECONDS = 10.0
_KEPT_SECONDS = 2.0
"""Of the call's time: what GitHub did has to be stored, too."""
_MOST_REDIRECTS = 3
_LONGEST_MESSAGE = 300
_WITHOUT_CONTENT = frozenset({202, 204, 205})
_NEXT = re.compile(r'<([^<>]*)>\s*;(?:[^,<>]*;)?\s*rel="?next"?')


class Site(NamedTuple):
    """Which GitHub."""

    base_url: str = PUBLIC_GITHUB
    allow: Exceptions = NOBODY_ELSE
    """Hosts that may be asked although they are private."""


class _Request(NamedTuple):
    method: str
    url: str
    repeats: bool
    """Whether it may be asked again when nobody knows whether it was done."""
    body: bytes | None = None


class _Read(NamedTuple):
    """An answer, and what it holds."""

    answer: Answer
    value: Any = None


class Calls:
    """Paths begin with a slash. What is not an answer is a `GitHubFailure`.

    With `repeats`, a request whose answer was lost is made again: say so only where twice is as good as once.
    How it sleeps is a parameter for tests.
    """

    def __init__(
        self,
        outbound: Outbound,
        token: Callable[[], str],
        site: Site | None = None,
        *,
        sleep: Callable[[float], None] = really_sleep,
    ) -> None:
        self._outbound = outbound
        self._token = token
        self._site = site or Site()
        self._base = self._site.base_url.rstrip("/")
        self._sleep = sleep

    def get(self, path: str, params: Params | None = None, *, repeats: bool = True) -> Any:
        return self._ask(_Request("GET", self._url(path, params), repeats)).value

    def pages(self, path: str, params: Params | None = None) -> Iterator[list[Any]]:
        """All pages, as the Link header leads from one to the next."""
        url: str | None = self._url(path, params)
        while url:
            read = self._ask(_Request("GET", url, repeats=True))
            if not isinstance(read.value, list):
                raise OutOfReach("GitHub answered with something else than a page.")
            yield read.value
            url = self._next(read.answer)

    def post(self, path: str, body: Mapping[str, object], *, repeats: bool = False) -> Any:
        return self._ask(_Request("POST", self._url(path), repeats, _written(body))).value

    def patch(self, path: str, body: Mapping[str, object], *, repeats: bool = True) -> Any:
        return self._ask(_Request("PATCH", self._url(path), repeats, _written(body))).value

    def delete(self, path: str, *, repeats: bool = True) -> None:
        self._ask(_Request("DELETE", self._url(path), repeats))

    def _ask(self, request: _Request) -> _Read:
        failed: Counter[Trouble | None] = Counter()
        while True:
            read = self._try(request)
            if read.answer.is_success:
                return read
            trouble = trouble_with(read.answer)
            failed[trouble] += 1
            wait = wait_before_next(
                read.answer,
                failed=failed[trouble],
                repeats=request.repeats,
                seconds_left=deadline.seconds_left() - _KEPT_SECONDS,
                chance=random_between(0, 1),
            )
            if wait is None:
                raise failure_of(read.answer)
            self._sleep(wait)

    def _try(self, request: _Request) -> _Read:
        # First, because it may have to be fetched, and that takes time, too.
        token = _fit_to_send(self._token())
        seconds = min(_TRY_SECONDS, deadline.seconds_left() - _KEPT_SECONDS)
        if seconds <= 0:
            raise OutOfReach("There was no time left to ask GitHub.")
        redirects = _MOST_REDIRECTS if request.method == "GET" else 0
        limits = AnswerLimits(seconds, MAX_ANSWER_BYTES + 1, redirects)
        order = Order(request.url, request.method, _headers(token, request.body), request.body)
        try:
            reply = self._outbound.send(order, limits=limits, allow=self._site.allow)
        except Disallowed as refusal:
            raise GitHubRefused(f"GitHub can't be asked at {self._base}: {refusal}") from None
        except Unreachable as error:
            return _Read(Answer(message=_shown(f"GitHub did not answer: {error}", token)))
        return _read(reply, token)

    def _url(self, path: str, params: Params | None = None) -> str:
        query = f"?{urlencode(params)}" if params else ""
        return f"{self._base}{path}{query}"

    def _next(self, answer: Answer) -> str | None:
        """The token goes with it, so it must be at the same server."""
        found = _NEXT.search(answer.headers.get("link", ""))
        if found is None:
            return None
        try:
            is_there = target_of(found[1], allow=self._site.allow)[:3] == self._place()
        except Disallowed:
            is_there = False
        if not is_there:
            raise GitHubRefused("GitHub's next page is at another server, which is not asked.")
        return found[1]

    def _place(self) -> tuple[object, ...]:
        return target_of(self._base, allow=self._site.allow)[:3]


def _fit_to_send(token: str) -> str:
    """Of a header that can't be sent, the message that says so would hold it."""
    if token.isascii() and token.isprintable() and token and " " not in token:
        return token
    raise GitHubRefused("The token for GitHub is empty, or has spaces or lines: have an admin store it anew.")


def _headers(token: str, body: bytes | None) -> dict[str, str]:
    headers = {
        "Accept": "application/vnd.github+json",
        "Authorization": f"Bearer {token}",
        "User-Agent": "forge",
        "X-GitHub-Api-Version": "2022-11-28",
    }
    return headers if body is None else headers | {"Content-Type": "application/json"}


def _written(body: Mapping[str, object]) -> bytes:
    return jsontext.encode(body).encode()


def _read(reply: Reply, token: str) -> _Read:
    """A success is one that can be read to its end."""
    if len(reply.body) > MAX_ANSWER_BYTES:
        raise GitHubRefused(f"GitHub's answer is longer than {MAX_ANSWER_BYTES} bytes.", status=reply.status)
    said: Any = None
    is_whole = reply.status in _WITHOUT_CONTENT
    if reply.body:
        with suppress(jsontext.BadJson):
            said = jsontext.decode(reply.body)
            is_whole = True
    answer = Answer(reply.status, reply.headers)
    if not answer.is_success:
        return _Read(answer._replace(message=_shown(_words(said), token)))
    if not is_whole:
        return _Read(Answer(message="GitHub's answer was not all there, or no JSON."))
    return _Read(answer, said)


def _words(said: Any) -> str:
    """GitHub's message, and what it says of each error."""
    if not isinstance(said, dict):
        return ""
    errors = said.get("errors")
    details = [_detail(one) for one in errors] if isinstance(errors, list) else []
    known = [text for text in (str(said.get("message") or ""), *details) if text]
    return ": ".join([known[0], ", ".join(known[1:])] if known[1:] else known)


def _detail(error: Any) -> str:
    if not isinstance(error, dict):
        return str(error)
    words = error.get("message") or error.get("code") or ""
    return f"{words} ({error['field']})" if error.get("field") and words else str(words)


def _shown(message: str, token: str) -> str:
    return message.replace(token, "…")[:_LONGEST_MESSAGE]
