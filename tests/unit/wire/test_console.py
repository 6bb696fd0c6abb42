"""/console is one page at every path beneath it, and files of our own that a browser keeps."""

import re
from base64 import b64decode
from gzip import decompress
from pathlib import Path
from posixpath import normpath

import pytest
from starlette.testclient import TestClient

from forge.testing.world import World
from forge.wire import console as console_module
from forge.wire.aws_lambda import edge_handler
from forge.wire.edge import Options
from forge.wire.hosts import LOOPBACK
from forge.wire.web import create_app
from forge.work.record.links import CONSOLE_PATH, issue_path
from tests.unit.wire.events import an_event
from tests.unit.wire.test_docs import Page, require_same_answer

PAGES = [
    CONSOLE_PATH,
    f"{CONSOLE_PATH}/",
    f"{CONSOLE_PATH}/issues/DEMO-12",
    f"{CONSOLE_PATH}/repositories/demo/app/pulls/1",
    f"{CONSOLE_PATH}/no/such/page",
    f"{CONSOLE_PATH}/requests/ar_%3Cb%3E",
]
_PRELOAD = re.compile(r'<link rel="modulepreload".*>\n?')
FIRST_LOAD_BYTES = 180_000
NO_ASSETS = ["js/none.js", "index.html", "../wire/web.py", "js/..%2f..%2fwire/web.py", "", "js"]


def files_of(browser: TestClient, path: str = CONSOLE_PATH) -> list[str]:
    return Page(browser.get(path).text).addresses[1:]


@pytest.mark.parametrize("path", PAGES)
def test_every_path_that_is_no_file_is_the_page(browser: TestClient, path: str) -> None:
    answer = browser.get(path, follow_redirects=False)

    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert _PRELOAD.sub("", answer.text) == _PRELOAD.sub("", browser.get(CONSOLE_PATH).text)


@pytest.mark.parametrize("name", NO_ASSETS)
def test_a_file_that_is_none_is_a_json_404(browser: TestClient, name: str) -> None:
    answer = browser.get(f"{CONSOLE_PATH}/assets/0/{name}", follow_redirects=False)

    assert answer.status_code == 404
    assert answer.json()["error"] == "not_found"


def test_what_stands_between_the_page_and_its_files_is_neither(browser: TestClient) -> None:
    assert browser.get(f"{CONSOLE_PATH}/assets/0").status_code == 404


def test_every_address_in_the_page_is_ours_and_answers_with_its_type(browser: TestClient) -> None:
    types = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}

    addresses = [one for one in files_of(browser) if not one.startswith("#")]

    assert len(addresses) > 10
    for address in addresses:
        answer = browser.get(address)
        assert (address[0], answer.status_code) == ("/", 200)
        assert answer.headers["content-type"].startswith(types[address.rpartition(".")[2]])
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_every_module_is_loaded_with_the_page_and_not_one_after_the_other(browser: TestClient) -> None:
    loaded = {address for address in files_of(browser) if address.endswith(".js")}

    for address in loaded:
        folder = address.rpartition("/")[0]
        for name in re.findall(r'^import .*"(\..+)";$', browser.get(address).text, re.MULTILINE):
            assert normpath(f"{folder}/{name}") in loaded


def test_the_policy_admits_only_our_own_files_and_no_markup_out_of_text(browser: TestClient) -> None:
    answer = browser.get(CONSOLE_PATH)

    sources = {
        part.split()[0]: set(part.split()[1:])
        for part in answer.headers["content-security-policy"].split("; ")
    }
    assert sources["default-src"] == sources["base-uri"] == sources["form-action"] == {"'none'"}
    assert sources["frame-ancestors"] == sources["trusted-types"] == {"'none'"}
    assert sources["script-src"] == sources["style-src"] == sources["connect-src"] == {"'self'"}
    assert sources["require-trusted-types-for"] == {"'script'"}
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "set-cookie" not in answer.headers
    assert Page(answer.text).inline.strip() == ""


def test_a_file_is_kept_for_as_long_as_its_address_names_its_content(browser: TestClient) -> None:
    address = next(one for one in files_of(browser) if one.endswith("main.js"))

    own, other = browser.get(address), browser.get(re.sub("assets/.*?/", "assets/0/", address))

    assert "immutable" in own.headers["cache-control"]
    assert other.headers["cache-control"] == browser.get(CONSOLE_PATH).headers["cache-control"] == "no-cache"
    assert other.content == own.content
    assert browser.get(address, headers={"if-none-match": own.headers["etag"]}).status_code == 304


@pytest.mark.parametrize("path", PAGES)
def test_the_first_look_costs_little(browser: TestClient, path: str) -> None:
    """What is sent for the page and all that it names, as a browser asks for it."""
    answers = [browser.get(path)]
    answers += [browser.get(address) for address in files_of(browser, path) if not address.startswith("#")]

    assert sum(int(answer.headers["content-length"]) for answer in answers) < FIRST_LOAD_BYTES
    assert {answer.headers.get("content-encoding") for answer in answers[1:]} == {"gzip"}


def test_whoever_takes_no_gzip_gets_the_file_as_it_is(browser: TestClient) -> None:
    address = next(one for one in files_of(browser) if one.endswith("main.js"))

    plain = browser.get(address, headers={"accept-encoding": "identity"})

    assert "content-encoding" not in plain.headers
    assert plain.content == browser.get(address).content
    assert plain.headers["vary"] == "accept-encoding"


def test_a_function_sends_files_compressed_in_a_form_that_the_gateway_unpacks(browser: TestClient) -> None:
    address = next(one for one in files_of(browser) if one.endswith("main.js"))
    event = an_event(method="GET", path=address, headers={"accept-encoding": "gzip, br"})

    answer = edge_handler(World().edge)(event, None)

    assert answer["isBase64Encoded"]
    assert answer["headers"]["content-encoding"] == "gzip"
    assert decompress(b64decode(answer["body"])) == browser.get(address).content


@pytest.mark.parametrize("path", [CONSOLE_PATH, f"{CONSOLE_PATH}/board"])
def test_head_tells_what_get_would_without_a_body(browser: TestClient, path: str) -> None:
    answer = browser.head(path)

    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-length"] == str(len(browser.get(path).content))


def test_the_address_in_an_issue_s_row_leads_to_its_page(browser: TestClient) -> None:
    answer = browser.get(issue_path("demo", "DEMO-12"), follow_redirects=False)

    assert (answer.status_code, answer.headers["location"]) == (302, f"{CONSOLE_PATH}/issues/DEMO-12")


@pytest.mark.parametrize(
    "path", ["/w/demo/i/%2F%2Fevil.example", "/w/demo", "/w/demo/i/", "/w//evil.example"]
)
def test_what_only_begins_like_such_an_address_leads_nowhere(browser: TestClient, path: str) -> None:
    answer = browser.get(path, follow_redirects=False)

    assert (answer.status_code, answer.json()["error"]) == (404, "not_found")


def test_a_function_leads_to_an_issue_s_page_as_the_server_does() -> None:
    answer = edge_handler(World().edge)(an_event(method="GET", path=issue_path("demo", "DEMO-12")), None)

    assert answer["statusCode"] == 302
    assert answer["headers"]["location"] == f"{CONSOLE_PATH}/issues/DEMO-12"


def test_posting_to_a_page_decides_nothing(browser: TestClient) -> None:
    answer = browser.post(f"{CONSOLE_PATH}/requests/ar_1", json={"accept": True})

    assert answer.status_code == 405
    assert answer.json()["error"] == "not_found"


def test_a_foreign_host_gets_neither_page_nor_file() -> None:
    browser = TestClient(create_app(World(options=Options(allowed_hosts=LOOPBACK)).edge))

    for path in (CONSOLE_PATH, f"{CONSOLE_PATH}/assets/0/js/main.js"):
        assert browser.get(path, headers={"host": "evil.example"}).status_code == 403
        assert browser.get(path, headers={"host": "localhost"}).status_code == 200


@pytest.mark.parametrize("path", [*PAGES, f"{CONSOLE_PATH}/assets/0/js/main.js"])
def test_a_function_answers_as_the_server_does(path: str, world: World, browser: TestClient) -> None:
    require_same_answer(world, browser, path)


def test_what_only_begins_like_the_console_is_no_page() -> None:
    answer = edge_handler(World().edge)(an_event(method="GET", path="/consoles"), None)

    assert answer["statusCode"] == 404


def modules_of(browser: TestClient, path: str) -> set[str]:
    named = (re.sub("^.*assets/[0-9a-f]+/", "", one) for one in files_of(browser, path))
    return {one for one in named if one.endswith(".js")}


def test_each_page_names_its_own_modules_and_those_of_no_other(browser: TestClient) -> None:
    """Else a module would be asked for only once another was read; or by everybody for what few look at."""
    console = Path(console_module.__file__).parents[1] / "console"
    first = modules_of(browser, CONSOLE_PATH)
    areas = "".join(area.read_text(encoding="utf-8") for area in sorted(console.glob("js/areas/*.js")))
    loaded = dict(re.findall(r'const (\w+) = later\(.+? import\("\.\./(.+?)"\)', areas))
    routes = re.findall(r'^    \["\w+", /\^\\/(\w+)(.*?)\$/, \[.*?\], (\w+)\],$', areas, re.M)

    assert "js/pages/inbox.js" in first
    assert not first & {f"js/{one}" for one in loaded.values()}
    assert {page for *_, page in routes} >= loaded.keys()
    for name, rest, page in routes:
        path = f"{CONSOLE_PATH}/{name}{'/a/b/pulls/1' if 'pulls' in rest else '/x' if rest else ''}"
        own = modules_of(browser, path)
        assert own >= first, path
        assert page not in loaded or f"js/{loaded[page]}" in own, path


def test_operators_have_their_modules_named(browser: TestClient) -> None:
    for name in ("members", "repositories", "health"):
        assert "js/operating/pages.js" in modules_of(browser, f"{CONSOLE_PATH}/{name}")


def test_every_style_is_sent(browser: TestClient) -> None:
    console = Path(console_module.__file__).parents[1] / "console"
    (address,) = (one for one in files_of(browser) if one.endswith(".css"))
    sent = browser.get(address).text

    for style in [*console.glob("css/*.css"), console / "vendor/uplot.css"]:
        assert style.read_text(encoding="utf-8") in sent, style.name
