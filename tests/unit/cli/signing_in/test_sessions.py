"""A session of `forge login`: kept where its owner alone can read it, renewed by one process at a time."""

import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from forge.cli.calls import BadArguments
from forge.cli.persons import persons_connection
from forge.cli.signing_in import signing_in
from forge.cli.signing_in.kept import Session, Sessions, folder, origin_of
from forge.cli.signing_in.sessions import key_for, session_at
from forge.clock import system_now
from tests.unit.cli.signing_in.authority import Authority


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FORGE_CONFIG", str(tmp_path / "config"))
    return tmp_path / "config"


@pytest.fixture(scope="module")
def server() -> Iterator[Authority]:
    with Authority().serve() as authority:
        yield authority


@pytest.fixture
def authority(server: Authority) -> Authority:
    server.lasts, server.issuer, server.token_endpoint, server.spent = 900, "", "", False
    server.busy = 0
    server.forms.clear()
    return server


def signed_in(authority: Authority) -> str:
    assert signing_in.login(authority.origin, open_browser=authority.browse) == 0
    return authority.origin


def test_signing_in_keeps_a_session_that_its_owner_alone_can_read(place: Path, authority: Authority) -> None:
    origin = signed_in(authority)

    found = Sessions().find(origin)

    assert found is not None
    assert found.access_token.startswith("forge_sk_")
    assert stat.S_IMODE((place / "sessions.json").stat().st_mode) == 0o600
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert authority.forms[0]["resource"] == f"{origin}/api"


def test_a_command_without_a_key_uses_it(place: Path, tmp_path: Path, authority: Authority) -> None:
    origin = signed_in(authority)

    at = persons_connection("", "", tmp_path)

    assert (at.url, at.key) == (origin, f"forge_sk_{authority.number}")
    assert persons_connection(f"{origin}/", "", tmp_path).key == at.key


def test_it_goes_to_no_other_server_and_a_key_comes_first(
    place: Path, tmp_path: Path, authority: Authority
) -> None:
    origin = signed_in(authority)

    assert persons_connection("https://other.example.com", "", tmp_path).key == ""
    assert persons_connection(origin, "forge_sk_own", tmp_path).key == "forge_sk_own"
    assert persons_connection(origin, "forge_sk_own", tmp_path).renew is None


def test_many_who_need_another_key_at_once_ask_for_one(place: Path, authority: Authority) -> None:
    authority.lasts = 30
    origin = signed_in(authority)
    authority.lasts = 900

    with ThreadPoolExecutor(8) as threads:
        keys = {*threads.map(lambda _: key_for(origin), range(8))}

    assert keys == {f"forge_sk_{authority.number}"}
    assert [form["grant_type"] for form in authority.forms].count("refresh_token") == 1


def test_a_command_that_goes_on_for_long_gets_another_key(place: Path, authority: Authority) -> None:
    authority.lasts = 30
    at = session_at(signed_in(authority))
    authority.lasts = 900

    assert at is not None
    assert at.renew is not None
    assert at.renew() == f"forge_sk_{authority.number}" != at.key


def test_a_session_that_has_ended_is_forgotten_and_says_so(place: Path, authority: Authority) -> None:
    authority.lasts, authority.spent = 30, True
    origin = signed_in(authority)

    with pytest.raises(BadArguments):
        key_for(origin)
    assert Sessions().find(origin) is None


@pytest.mark.parametrize("status", [403, 404, 409, 429, 503])
def test_a_session_is_kept_where_the_server_does_not_say_that_it_has_ended(
    place: Path, authority: Authority, status: int
) -> None:
    authority.lasts = 30
    origin = signed_in(authority)
    authority.busy = status

    with pytest.raises(BadArguments):
        key_for(origin)

    authority.busy = 0
    assert key_for(origin) == f"forge_sk_{authority.number}"


def test_signing_out_ends_it_here_and_there(place: Path, authority: Authority) -> None:
    origin = signed_in(authority)

    assert signing_in.logout("") == 0

    assert authority.forms[-1]["token"] == f"refresh-{authority.number}"
    assert Sessions().find(origin) is None
    assert signing_in.logout("") == 2


def test_signing_in_again_ends_the_session_before(place: Path, authority: Authority) -> None:
    signed_in(authority)
    before = authority.number

    signed_in(authority)

    assert authority.forms[-1]["token"] == f"refresh-{before}"


@pytest.mark.parametrize(
    ("name", "value"),
    [("issuer", "https://evil.example.com/oauth"), ("token_endpoint", "https://evil.example.com/t")],
)
def test_a_server_that_sends_elsewhere_is_refused(
    place: Path, authority: Authority, name: str, value: str
) -> None:
    setattr(authority, name, value)

    assert signing_in.login(authority.origin, open_browser=authority.browse) == 2
    assert authority.forms == []


@pytest.mark.parametrize("wrong", [{"state": "another"}, {"iss": "https://evil.example.com/oauth"}])
def test_an_answer_that_is_not_this_servers_to_this_command_is_not_taken(
    place: Path, authority: Authority, wrong: dict[str, str]
) -> None:
    def browse(address: str) -> bool:
        authority.browse(address, **{"code": "somebody else's"} | wrong)
        return authority.browse(address)

    assert signing_in.login(authority.origin, open_browser=browse) == 0
    (form,) = authority.forms
    assert form["code"].startswith("code-")


def test_nobody_signs_in_where_others_can_read_along(place: Path) -> None:
    assert signing_in.login("http://forge.example.com", open_browser=lambda address: True) == 2


def test_who_says_no_is_not_signed_in(place: Path, authority: Authority) -> None:
    def browse(address: str) -> bool:
        return authority.browse(address, code=None, error="access_denied")

    assert signing_in.login(authority.origin, open_browser=browse) == 2
    assert Sessions().find(authority.origin) is None


def test_who_closes_the_browser_is_not_waited_for_without_end(
    place: Path, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signing_in, "_PATIENCE_SECONDS", 0.0)

    assert signing_in.login(authority.origin, open_browser=lambda _: True) == 2
    assert Sessions().find(authority.origin) is None


def test_what_another_release_wrote_is_no_session(place: Path) -> None:
    place.mkdir()
    for text in ("", "[]", '{"current": "x", "sessions": {"x": {"ends_at": "soon"}}}', '{"sessions": 7}'):
        (place / "sessions.json").write_text(text)
        assert session_at("") is None


def test_which_server_is_current_stays_with_another_key_and_goes_with_the_session(place: Path) -> None:
    sessions = Sessions()
    session = Session("c", "k", "r", system_now() + timedelta(hours=1), "https://a.example.com/oauth/token")
    sessions.keep("https://a.example.com", session)
    sessions.keep("https://b.example.com", session)

    sessions.replace("https://a.example.com", session)
    assert sessions.current() == "https://b.example.com"

    sessions.forget("https://b.example.com")
    assert sessions.current() == "https://a.example.com"


def test_an_address_has_one_spelling() -> None:
    assert origin_of("HTTPS://Forge.example.com:443/console") == "https://forge.example.com"
    assert origin_of("http://[::1]:8787/") == "http://[::1]:8787"
    for wrong in ("forge.example.com", "ftp://x", "https://u:p@x", "https://"):
        with pytest.raises(ValueError, match="address"):
            origin_of(wrong)


def test_where_programs_keep_things_can_be_named() -> None:
    assert folder({"FORGE_CONFIG": "/x"}) == Path("/x")
    assert folder({"XDG_CONFIG_HOME": "/y"}) == Path("/y/forge")
