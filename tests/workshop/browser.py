"""A browser without scripts: it keeps cookies, follows redirects on its own host, and sends forms."""

from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

Headers = Mapping[str, str]
Send = Callable[[str, str, dict[str, str], str], "tuple[int, Headers, str]"]
"""Method, address, headers and body; status, headers by lower-case name, and body."""

_MOST_REDIRECTS = 10
_FORM = "application/x-www-form-urlencoded"


class Field(NamedTuple):
    name: str
    value: str
    kind: str
    is_chosen: bool


class Form(NamedTuple):
    action: str
    method: str
    fields: list[Field]

    def values(self) -> list[tuple[str, str]]:
        """What is sent if nobody touches anything; buttons are pressed by name."""
        return [
            (one.name, one.value)
            for one in self.fields
            if one.name and one.kind not in ("submit", "button")
            if one.is_chosen or one.kind not in ("checkbox", "radio")
        ]


class Page(NamedTuple):
    url: str
    status: int
    headers: Headers
    text: str

    @property
    def forms(self) -> list[Form]:
        reader = _Forms()
        reader.feed(self.text)
        return reader.found

    @property
    def query(self) -> dict[str, str]:
        return dict(parse_qsl(urlsplit(self.url).query))


class Browser:
    def __init__(self, origin: str, send: Send) -> None:
        self.origin = origin
        self._send = send
        self.cookies: dict[str, str] = {}
        self.steps: list[str] = []

    def open(self, url: str, *, headers: Headers | None = None) -> Page:
        return self._go("GET", urljoin(self.origin, url), "", dict(headers or {}))

    def submit(
        self,
        page: Page,
        changes: Mapping[str, str | list[str] | None] | None = None,
        *,
        form: int = 0,
        headers: Headers | None = None,
    ) -> Page:
        """Send a form of the page; `changes` replaces what stands in its fields, and None leaves one out."""
        sent = page.forms[form]
        values = [(name, value) for name, value in sent.values() if name not in (changes or {})]
        for name, given in (changes or {}).items():
            several = given if isinstance(given, list) else [] if given is None else [given]
            values += [(name, value) for value in several]
        own = {"content-type": _FORM, "origin": self.origin, "sec-fetch-site": "same-origin"}
        if sent.method == "get":
            return self.open(f"{urljoin(page.url, sent.action)}?{urlencode(values)}")
        return self._go("POST", urljoin(page.url, sent.action), urlencode(values), own | dict(headers or {}))

    def _go(self, method: str, url: str, body: str, headers: dict[str, str]) -> Page:
        for _ in range(_MOST_REDIRECTS):
            if not url.startswith(f"{self.origin}/"):
                # Somebody else's: whoever drives the browser looks at the address.
                self.steps.append(f"→ {url.partition('?')[0]}")
                return Page(url, 0, {}, "")
            path = urlsplit(url).path
            cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
            sent = {**headers, "accept": "text/html", **({"cookie": cookies} if cookies else {})}
            status, answered, text = self._send(method, url, sent, body)
            self.steps.append(f"{method} {path} {status}")
            self._keep(answered)
            location = answered.get("location")
            if status not in (302, 303) or location is None:
                return Page(url, status, answered, text)
            method, url, body, headers = "GET", urljoin(url, location), "", {}
        raise AssertionError("it goes round in circles")

    def _keep(self, headers: Headers) -> None:
        for said in headers.get("set-cookie", "").splitlines():
            name, _, value = said.partition(";")[0].partition("=")
            if "max-age=0" in said.lower():
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = value


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[Form] = []
        self._select: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.found.append(Form(given.get("action", ""), given.get("method", "get"), []))
        elif not self.found:
            return
        elif tag in ("input", "button"):
            kind = given.get("type", "text" if tag == "input" else "submit")
            value = given.get("value", "on" if kind == "checkbox" else "")
            self.found[-1].fields.append(Field(given.get("name", ""), value, kind, "checked" in given))
        elif tag == "select":
            self._select = given.get("name", "")
        elif tag == "option" and self._select is not None:
            self._choose(given)

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = None

    def _choose(self, given: Mapping[str, str]) -> None:
        """The first of a list, unless another is marked."""
        fields = self.found[-1].fields
        own = [one for one in fields if one.name == self._select]
        if own and "selected" not in given:
            return
        fields[:] = [one for one in fields if one.name != self._select]
        fields.append(Field(str(self._select), given.get("value", ""), "option", True))
