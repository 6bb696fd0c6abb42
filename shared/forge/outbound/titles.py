"""What a page calls itself."""

import re
from contextlib import suppress
from email.message import Message
from html.parser import HTMLParser

from forge.outbound.orders import Reply

MAX_TITLE = 255

_PAGES = frozenset({"text/html", "application/xhtml+xml"})
# Those that the web uses. Others that Python knows are no encodings of text, or take very long.
_ENCODINGS = frozenset(
    {
        "ascii",
        "big5",
        "cp949",
        "euc_jp",
        "euc_kr",
        "gb18030",
        "gb2312",
        "gbk",
        "iso2022_jp",
        "koi8_r",
        "koi8_u",
    }
    | {"shift_jis", "utf_16", "utf_16_be", "utf_16_le", "utf_8"}
    | {f"cp125{number}" for number in range(9)}
    | {f"iso8859_{number}" for number in range(1, 17)}
)
_ALIASES = {"latin1": "cp1252", "iso8859_1": "cp1252", "us_ascii": "cp1252", "x_sjis": "shift_jis"}
_MARKS = ((b"\xef\xbb\xbf", "utf_8"), (b"\xff\xfe", "utf_16_le"), (b"\xfe\xff", "utf_16_be"))
_DECLARED = re.compile(
    rb"""<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([A-Za-z0-9_:.-]{1,40})""", re.I
)
_DECLARED_WITHIN = 1024
_PIECE = 4096


def title_in(reply: Reply) -> str | None:
    """The title of a page, on one line; None where the answer is no page, or has none."""
    content = Message()
    content["content-type"] = reply.headers.get("content-type", "")
    if reply.status != 200 or content.get_content_type() not in _PAGES:
        return None
    if reply.headers.get("content-encoding", "identity") != "identity":
        return None
    return title_of(_decoded(reply.body, content.get_content_charset()))


def title_of(page: str) -> str | None:
    reader = _TitleReader()
    # Some releases of Python give up with this on a declaration that is none.
    with suppress(AssertionError):
        # In pieces, because a reader of all at once goes on after the title.
        for start in range(0, len(page), _PIECE):
            reader.feed(page[start : start + _PIECE])
            if reader.is_done:
                break
    words = " ".join("".join(reader.parts).split())
    shown = "".join(character for character in words if character.isprintable())
    return shown[:MAX_TITLE].strip() or None


class _TitleReader(HTMLParser):
    """Takes the text of the first title that is the page's own and no picture's."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.is_done = False
        self._is_within = False
        self._pictures = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._pictures += tag == "svg"
        self._is_within = self._is_within or (tag == "title" and not self._pictures)

    def handle_endtag(self, tag: str) -> None:
        self._pictures -= tag == "svg" and self._pictures > 0
        self.is_done = self.is_done or (tag == "title" and self._is_within)

    def handle_data(self, data: str) -> None:
        if self._is_within and not self.is_done:
            self.parts.append(data)


def _decoded(body: bytes, declared: str | None) -> str:
    """By its byte order mark, by what the answer says, by what the page says; what is wrong is replaced."""
    for mark, name in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(name, errors="replace")
    found = _DECLARED.search(body[:_DECLARED_WITHIN])
    said = declared or (found[1].decode() if found else "")
    return body.decode(_encoding(said) or "utf_8", errors="replace")


def _encoding(said: str) -> str | None:
    name = re.sub(r"[^a-z0-9]+", "_", said.lower()).replace("iso_8859", "iso8859").replace("windows_", "cp")
    name = {"utf8": "utf_8", "sjis": "shift_jis", "iso_2022_jp": "iso2022_jp"}.get(name, name)
    name = _ALIASES.get(name, name)
    return name if name in _ENCODINGS else None
