"""A person in a browser without scripts, as a program: signs in with a key, says yes, and goes on from there.

Programs that sign in start it as their browser: python -m tests.clients.browsing URL, with the person's key
as FORGE_PERSON_KEY. What it did is written to FORGE_STEPS, a line for each step.
"""

import os
import sys
from pathlib import Path
from time import perf_counter
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from tests.workshop.browser import Browser, Headers, Page

_SECONDS = 30


class _Stays(HTTPRedirectHandler):
    """A redirect is an answer, which the browser follows itself."""

    def redirect_request(self, *_: object) -> None:
        return None


_OPENER = build_opener(_Stays)


def send(method: str, url: str, headers: dict[str, str], body: str) -> tuple[int, Headers, str]:
    data = body.encode() if method == "POST" else None
    request = Request(url, data=data, headers=headers, method=method)
    try:
        answer = _OPENER.open(request, timeout=_SECONDS)
    except HTTPError as refused:
        answer = refused
    with answer:
        told = {name.lower(): value for name, value in answer.headers.items()}
        cookies = answer.headers.get_all("set-cookie") or []
        return (
            answer.status,
            told | ({"set-cookie": "\n".join(cookies)} if cookies else {}),
            answer.read().decode(),
        )


def let_in(url: str, key: str, *, choices: dict[str, str] | None = None) -> tuple[Page, list[str]]:
    """From the address that a program opens to the one that it waits at; and the steps of that."""
    parts = urlsplit(url)
    browser = Browser(f"{parts.scheme}://{parts.netloc}", send)
    page = browser.open(url)
    if "/oauth/sign-in" in page.url:
        page = browser.submit(page, {"key": key}, form=_form_with(page, "key"))
    if not page.status:
        # It was refused, and the program is told so.
        return page, browser.steps
    asking = _form_with(page, "consent")
    return browser.submit(page, {"answer": "yes", **(choices or {})}, form=asking), browser.steps


def main() -> int:
    begun = perf_counter()
    page, steps = let_in(sys.argv[-1], os.environ["FORGE_PERSON_KEY"])
    status, _, _ = send("GET", page.url, {"accept": "text/html"}, "")
    told = [*steps, f"GET {urlsplit(page.url).path} of the program {status}"]
    lines = [*told, f"{perf_counter() - begun:.2f} s"]
    Path(os.environ["FORGE_STEPS"]).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


def _form_with(page: Page, field: str) -> int:
    for number, form in enumerate(page.forms):
        if any(one.name == field for one in form.fields):
            return number
    raise LookupError(f"no form of {page.url} has {field}: {page.status} {page.text[-500:]}")


if __name__ == "__main__":
    sys.exit(main())
