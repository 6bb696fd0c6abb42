"""What a child sees of this machine: folders of its own, and of the environment what is on a list."""

from collections.abc import Iterable, Mapping
from pathlib import Path

MARKER = "FORGE_WORKER_RUN"
"""Whatever a child starts has it, too, and is found by it when the child is gone."""

USUAL = frozenset(
    {
        *("PATH", "LANG", "LANGUAGE", "TERM", "TZ", "SHELL", "USER", "LOGNAME"),
        *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"),
        *("http_proxy", "https_proxy", "no_proxy", "all_proxy"),
        *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"),
    }
)


def environment(
    around: Mapping[str, str], *, run_id: str, home: Path, named: Iterable[str], given: Mapping[str, str]
) -> dict[str, str]:
    """Of what is around only what is usual or named; `given` is what this run has of its own."""
    wanted = USUAL | frozenset(named)
    kept = {name: value for name, value in around.items() if name in wanted or name.startswith("LC_")}
    own = {"HOME": str(home), "TMPDIR": str(home / "tmp"), MARKER: run_id}
    return kept | own | {name: value for name, value in given.items() if value}


def make_home(home: Path) -> None:
    """Of one run, and nobody else's to read."""
    for folder in (home, home / "tmp"):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
