"""How the names of files travel, and which types run nowhere."""

from urllib.parse import unquote

import pytest

from forge.work.content.attachments.media import disposition, id_in, object_name, plain_type, served_type


@pytest.mark.parametrize(
    ("filename", "end"),
    [
        ("login.png", "att_1-login.png"),
        ("../../etc/passwd", "att_1-.._.._etc_passwd"),
        ("C:\\a b\\ü.txt", "att_1-C__a_b__.txt"),
        ("x" * 300 + ".pdf", "att_1-" + "x" * 116 + ".pdf"),
    ],
)
def test_the_name_of_an_object_is_no_path_and_holds_the_id(filename: str, end: str) -> None:
    name = object_name("ws_1", "issue", "iss_1", attachment_id="att_1", filename=filename)

    assert name == f"ws_1/attachments/issue/iss_1/{end}"
    assert id_in(name) == "att_1"


def test_a_download_is_saved_under_its_own_name_whatever_that_holds() -> None:
    said = disposition('Größe "1";\r\nX: y.png')

    assert said.startswith("attachment; filename=\"Gr__e__1____X__y.png\"; filename*=UTF-8''")
    assert unquote(said.rpartition("''")[2]) == 'Größe "1";\r\nX: y.png'
    assert said.isascii()
    assert said.isprintable()


def test_what_a_browser_would_run_is_served_as_bytes() -> None:
    active = ("image/svg+xml", "text/html", "text/xml", "application/xml")

    assert {served_type(one) for one in active} == {"application/octet-stream"}
    assert served_type("image/png") == "image/png"


def test_a_type_is_compared_without_its_parameters() -> None:
    assert plain_type(" Text/Plain; charset=utf-8") == "text/plain"
