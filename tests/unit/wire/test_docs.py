"""/docs loads nothing from elsewhere: every address in it is ours, and answers."""

import re
from html.parser import HTMLParser

import pytest
from starlette.testclient import TestClient

from forge.testing.world import World
from forge.wire.aws_lambda import edge_handler
from forge.wire.pages import ASSETS, DOCS_PATH, OPENAPI_PATH, PAGES, is_page
from forge.wire.web import create_app
from forge.work.record.links import CONSOLE_PATH, WORKSPACES_PATH
from tests.unit.wire.events import an_event

LAMBDA_ANSWER_BYTES = 6 * 1024 * 1024

_LINKS = {"href", "src", "action", "data", "srcset", "poster"}
_FOREIGN = re.compile(r"url\((?![\"']?data:)|@import")


class Page(HTMLParser):
    """What a browser would load, and run, of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.inline = ""
        self._is_inside_script = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [value or "" for name, value in attrs if name in _LINKS]
        self.inline += "".join(name for name, _ in attrs if name == "style" or name.startswith("on"))
        self._is_inside_script = tag in {"script", "style"}

    def handle_endtag(self, tag: str) -> None:
        self._is_inside_script = False

    def handle_data(self, data: str) -> None:
        if self._is_inside_script:
            self.inline += data


def require_same_answer(world: World, browser: TestClient, path: str) -> None:
    """A function gives what the server gives, in a form and size that Lambda can send."""
    page = browser.get(path)
    answer = edge_handler(world.edge)(an_event(method="GET", path=path), None)

    assert answer["statusCode"] == 200
    assert not answer["isBase64Encoded"]
    assert answer["headers"]["content-type"] == page.headers["content-type"]
    assert answer["body"].encode() == page.content
    assert len(page.content) < LAMBDA_ANSWER_BYTES


def the_page(browser: TestClient) -> Page:
    return Page(browser.get(DOCS_PATH).text)


def loaded_by(page: Page) -> list[str]:
    return [address for address in page.addresses if not address.startswith("data:")]


def test_every_address_in_the_page_is_ours_and_answers_with_its_type(browser: TestClient) -> None:
    addresses = loaded_by(the_page(browser))

    assert {address.partition("?")[0] for address in addresses} == {f"{DOCS_PATH}/{name}" for name in ASSETS}
    for address in addresses:
        answer = browser.get(address)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == ASSETS[answer.url.path.rpartition("/")[2]]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert len(answer.content) > 100


def test_the_style_sheet_names_no_file(browser: TestClient) -> None:
    assert not _FOREIGN.search(browser.get(f"{DOCS_PATH}/swagger-ui.css").text)


def test_the_script_shows_the_document_and_sends_it_to_no_validator(browser: TestClient) -> None:
    script = browser.get(f"{DOCS_PATH}/start.js").text

    (address,) = re.findall(r'url: "(.+)"', script)
    assert browser.get(address).json()["openapi"].startswith("3.")
    assert "validatorUrl: null" in script
    assert "//" not in script


def test_the_policy_admits_nothing_foreign_and_nothing_that_stands_in_the_page(browser: TestClient) -> None:
    headers = browser.get(DOCS_PATH).headers

    policy = headers["content-security-policy"].split("; ")
    sources = {part.split()[0]: set(part.split()[1:]) for part in policy}
    assert headers["content-type"].startswith("text/html")
    assert sources["default-src"] == {"'none'"}
    assert set().union(*sources.values()) == {"'none'", "'self'", "data:"}
    assert sources["script-src"] == sources["style-src"] == {"'self'"}
    assert the_page(browser).inline.strip() == ""


def test_a_file_is_kept_for_as_long_as_its_address_names_its_content(browser: TestClient) -> None:
    for address in loaded_by(the_page(browser)):
        assert "immutable" in browser.get(address).headers["cache-control"]
        assert browser.get(f"{address}0").headers["cache-control"] == "no-cache"
    assert browser.get(DOCS_PATH).headers["cache-control"] == "no-cache"


def test_a_file_that_the_browser_has_is_not_sent_again(browser: TestClient) -> None:
    path = f"{DOCS_PATH}/start.js"
    tag = browser.get(path).headers["etag"]

    again = browser.get(path, headers={"if-none-match": tag})
    other = browser.get(path, headers={"if-none-match": '"other"'})

    assert (again.status_code, again.content) == (304, b"")
    assert other.status_code == 200


@pytest.mark.parametrize("name", ["redoc.standalone.js", "favicon.png", "../core.py", "..%2fcore.py"])
def test_nothing_else_of_the_package_is_served(name: str, browser: TestClient) -> None:
    assert browser.get(f"{DOCS_PATH}/{name}").status_code == 404


@pytest.mark.parametrize("path", sorted(PAGES))
def test_a_function_answers_as_the_server_does(path: str, world: World, browser: TestClient) -> None:
    require_same_answer(world, browser, path)


def test_the_pages_are_those_that_the_application_has() -> None:
    routes = create_app(World().edge).router.routes

    paths = {str(getattr(route, "path", None)) for route in routes}
    assert {path for path in paths if not is_page(path)} == set()
    assert {path for path in paths if not path.startswith((CONSOLE_PATH, WORKSPACES_PATH))} == PAGES
    assert OPENAPI_PATH in PAGES
