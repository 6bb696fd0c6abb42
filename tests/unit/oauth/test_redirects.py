"""Where a browser may be sent, as a rule about addresses."""

import pytest

from functions.oauth.redirects import is_registered, problem_with


@pytest.mark.parametrize(
    "url",
    [
        "https://app.example/callback",
        "https://app.example:8443/callback?x=1",
        "http://localhost/callback",
        "http://127.0.0.1:33418/",
        "http://[::1]:5000/callback",
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "com.example.app:/callback",
    ],
)
def test_programs_and_sites_say_where_their_answers_go(url: str) -> None:
    assert problem_with(url) is None
    assert is_registered(url, [url])


@pytest.mark.parametrize(
    "url",
    [
        "",
        "callback",
        "https://",
        "https:///callback",
        "http://app.example/callback",
        "http://localhost.example/callback",
        "https://user@app.example/callback",
        "https://app.example/callback#part",
        "https://app.example/call back",
        "https://app.example/call\tback",
        "https://app.example\\@evil.example/callback",
        "https://äpp.example/callback",
        "https://app.example:port/callback",
        "https://app.example/" + "x" * 2_000,
        "http://[::1/callback",
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "blob:https://app.example/x",
        "ws://localhost/callback",
        "not_a_scheme:/callback",
    ],
)
def test_nobody_is_sent_elsewhere_even_where_it_was_written_down(url: str) -> None:
    assert problem_with(url) is not None
    assert not is_registered(url, [url])


@pytest.mark.parametrize(
    ("asked", "is_one"),
    [
        ("http://127.0.0.1:1/callback", True),
        ("http://127.0.0.1:65535/callback", True),
        ("http://127.0.0.1/callback", True),
        ("http://127.0.0.1:1/callback?x=1", False),
        ("http://127.0.0.1:1/callback/", False),
        ("http://127.0.0.1:99999/callback", False),
        ("http://localhost:1/callback", False),
        ("https://127.0.0.1:1/callback", False),
    ],
)
def test_of_a_program_on_this_machine_the_port_is_free_and_nothing_else(asked: str, is_one: bool) -> None:
    assert is_registered(asked, ["http://127.0.0.1/callback"]) is is_one
