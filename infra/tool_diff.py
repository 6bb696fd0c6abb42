"""Says in Markdown how the tools of two catalogs differ, with what breaks a caller first.

`python -m infra.tool_diff origin/main` compares a commit's catalog with the one in this checkout.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from forge.contract.catalog import CATALOG_FILE

ROOT = Path(__file__).parent.parent

Entry = Mapping[str, Any]
Entries = Mapping[str, Entry]


class Difference(NamedTuple):
    tool: str
    what: str
    is_breaking: bool = False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commit", help="whose catalog is the older one")
    older = _committed(parser.parse_args().commit)
    newer = json.loads(Path(CATALOG_FILE).read_text(encoding="utf-8"))
    print(report(list(differences(older, newer))))
    return 0


def differences(older: Mapping[str, Any], newer: Mapping[str, Any]) -> Iterator[Difference]:
    before, after = _by_name(older), _by_name(newer)
    renamed = {alias: name for name, entry in after.items() for alias in entry.get("aliases", ())}
    for name in sorted(before.keys() - after.keys()):
        if name in renamed:
            yield Difference(name, f"is called `{renamed[name]}`, and goes on answering")
        else:
            yield Difference(name, "removed", is_breaking=True)
    for name in sorted(after.keys() - before.keys()):
        yield Difference(name, f"added: {_first_line(after[name])}")
    for name in sorted(before.keys() & after.keys()):
        yield from (one._replace(tool=name) for one in _changes(before[name], after[name]))


def report(found: list[Difference]) -> str:
    if not found:
        return "The tools are the same."
    ordered = sorted(found, key=lambda one: not one.is_breaking)
    rows = [f"| `{one.tool}` | {'**breaks** ' if one.is_breaking else ''}{one.what} |" for one in ordered]
    return "\n".join(["| tool | difference |", "|---|---|", *rows])


def _changes(before: Entry, after: Entry) -> Iterator[Difference]:
    if wanted := sorted(set(after["scopes"]) - set(before["scopes"])):
        yield Difference("", f"needs {', '.join(wanted)}", is_breaking=True)
    if dropped := sorted(set(before["scopes"]) - set(after["scopes"])):
        yield Difference("", f"needs {', '.join(dropped)} no more")
    if before["effect"] != after["effect"]:
        yield Difference("", f"effect {before['effect']} → {after['effect']}")
    if before["description"] != after["description"]:
        yield Difference("", f"says: {_first_line(after)}")
    yield from _in_schema(before["inputSchema"], after["inputSchema"], "")


def _in_schema(before: Entry, after: Entry, path: str) -> Iterator[Difference]:
    """What callers may say, however deep."""
    if before["type"] != after["type"]:
        wider = (before["type"], after["type"]) == ("integer", "number")
        yield Difference("", f"`{path}` is {after['type']}, was {before['type']}", is_breaking=not wider)
        return
    yield from _in_choices(before.get("enum"), after.get("enum"), path)
    if "items" in before and "items" in after:
        yield from _in_schema(before["items"], after["items"], f"{path}[]")
    yield from _in_properties(before, after, path)


def _in_choices(before: list[str] | None, after: list[str] | None, path: str) -> Iterator[Difference]:
    """None is any value."""
    if before is None and after is not None:
        yield Difference("", f"`{path}` takes only {', '.join(after)}", is_breaking=True)
    elif after is None and before is not None:
        yield Difference("", f"`{path}` takes any value")
    elif before is not None and after is not None:
        if gone := [value for value in before if value not in after]:
            yield Difference("", f"`{path}` takes {', '.join(gone)} no more", is_breaking=True)
        if new := [value for value in after if value not in before]:
            yield Difference("", f"`{path}` takes {', '.join(new)}")


def _in_properties(before: Entry, after: Entry, path: str) -> Iterator[Difference]:
    old, new = before.get("properties", {}), after.get("properties", {})
    was, is_now = before.get("required", ()), after.get("required", ())
    for name in (*old, *(one for one in new if one not in old)):
        place = f"{path}.{name}".lstrip(".")
        if name not in new:
            yield Difference("", f"takes `{place}` no more", is_breaking=True)
            continue
        demanded = name in is_now and name not in was
        if name not in old:
            yield Difference("", f"takes `{place}`{', which is required' * demanded}", is_breaking=demanded)
            continue
        if demanded:
            yield Difference("", f"requires `{place}`", is_breaking=True)
        yield from _in_schema(old[name], new[name], place)


def _by_name(document: Mapping[str, Any]) -> Entries:
    return {entry["name"]: entry for entry in document["tools"]}


def _first_line(entry: Entry) -> str:
    return str(entry["description"]).split("\n\n", 1)[0]


def _committed(commit: str) -> Mapping[str, Any]:
    path = Path(CATALOG_FILE).resolve().relative_to(ROOT)
    shown = subprocess.run(
        ["git", "show", f"{commit}:{path}"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    found: Mapping[str, Any] = json.loads(shown.stdout)
    return found


if __name__ == "__main__":
    sys.exit(main())
