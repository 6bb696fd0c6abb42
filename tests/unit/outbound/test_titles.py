"""What a page calls itself."""

import pytest

from forge.outbound.orders import Reply
from forge.outbound.titles import MAX_TITLE, title_in, title_of


def a_page(
    body: bytes, content_type: str = "text/html", status: int = 200, encoding: str = "identity"
) -> Reply:
    headers = {"content-type": content_type, "content-encoding": encoding}
    return Reply(status, headers, body, "http://example.com/")


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("<html><head><title>Plain</title></head>", "Plain"),
        ("<TITLE lang=en>\n  A &amp; B&nbsp;&#8211;\t c \n</TITLE>", "A & B – c"),
        ("<svg><title>Icon</title></svg><title>Page</title>", "Page"),
        ("<script>'<title>no</title>'</script><title>Yes</title><title>No</title>", "Yes"),
        ("<!-- <title>no</title> --><title>Yes</title>", "Yes"),
        (f"<title>{'x' * 300}</title>", "x" * MAX_TITLE),
        (f"<p>{'y' * 10_000}<title>Late</title>", "Late"),
        ("<title>a\u202e\u0007b</title>", "ab"),
        ("<title> </title>", None),
        ("<title>never closed", "never closed"),
        ("no markup", None),
        ("", None),
    ],
)
def test_the_title_is_one_line_of_plain_text(page: str, title: str | None) -> None:
    assert title_of(page) == title


def test_what_is_no_markup_at_all_does_no_harm() -> None:
    # Some releases of Python read on after it, and others give up.
    assert title_of("<![<title>x</title>") in (None, "x")


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("<title>Größe</title>".encode(), "text/html"),
        ("<title>Größe</title>".encode("cp1252"), "text/html; charset=ISO-8859-1"),
        ("<meta charset='windows-1252'><title>Größe</title>".encode("cp1252"), "text/html"),
        ("\ufeff<title>Größe</title>".encode("utf-16-le"), "text/html; charset=utf-8"),
        ("<title>Größe</title>".encode(), "application/xhtml+xml; charset=UTF8"),
        ("<title>Größe</title>".encode(), "text/html; charset=rot13"),
        ("<title>Größe</title>".encode(), "text/html; charset=punycode"),
    ],
)
def test_the_encoding_is_the_marks_the_answers_or_the_pages(body: bytes, content_type: str) -> None:
    assert title_in(a_page(body, content_type)) == "Größe"


def test_what_is_wrongly_encoded_is_shown_as_far_as_it_can_be() -> None:
    assert title_in(a_page(b"<title>Gr\xf6\xdfe</title>")) == "Gr\ufffd\ufffde"


@pytest.mark.parametrize(
    "reply",
    [
        a_page(b"<title>x</title>", "text/plain"),
        a_page(b"<title>x</title>", "application/pdf"),
        a_page(b"<title>x</title>", ""),
        a_page(b"<title>Not found</title>", status=404),
        a_page(b"<title>x</title>", encoding="gzip"),
    ],
)
def test_only_a_page_has_a_title(reply: Reply) -> None:
    assert title_in(reply) is None
