"""Skills on the wire: the texts of prompts as files, which are read as they were listed."""

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest

from forge.contract.offers import load_offers
from forge.contract.terms import Scope
from forge.testing.world import World
from forge.wire.http import Response

Era = Callable[[World], Callable[..., Response]]
ERAS = pytest.mark.parametrize("era", [lambda world: world.modern, lambda world: world.legacy])
START = "skill://start-work"


def answer(response: Response) -> dict[str, Any]:
    return dict(json.loads(response.body))


def listed(world: World, key: str) -> list[dict[str, Any]]:
    return list(answer(world.modern("skills/list", key=key))["result"]["skills"])


@ERAS
def test_every_prompt_is_a_skill_for_keys_that_may_call_its_tools(world: World, key: str, era: Era) -> None:
    few = world.a_key(scopes=[Scope.READ_USERS])

    skills = answer(era(world)("skills/list", key=key))["result"]["skills"]

    assert [one["frontmatter"]["name"].replace("-", "_") for one in skills] == [*load_offers().prompts]
    assert answer(era(world)("skills/list", key=few))["result"]["skills"] == []
    assert answer(era(world)("skills/get", {"uri": f"{START}/SKILL.md"}, key=few))["error"]["code"] == -32602


def test_what_is_read_of_a_skill_has_the_digest_and_the_size_that_were_listed(world: World, key: str) -> None:
    for skill in listed(world, key):
        for file in skill["resources"]:
            (contents,) = answer(world.modern("resources/read", {"uri": file["uri"]}, key=key))["result"][
                "contents"
            ]
            read = contents["text"].encode()
            assert file["digest"] == f"sha256:{sha256(read).hexdigest()}"
            assert file["size"] == len(read)
            assert contents["mimeType"] == "text/markdown"


def test_a_skill_begins_with_its_frontmatter_and_asks_for_no_argument(world: World, key: str) -> None:
    for skill in listed(world, key):
        asked = {"uri": skill["uri"]}
        text = answer(world.modern("resources/read", asked, key=key))["result"]["contents"][0]["text"]
        frontmatter = skill["frontmatter"]
        name, description = frontmatter["name"], json.dumps(frontmatter["description"])
        assert text.startswith(f"---\nname: {name}\ndescription: {description}\n---\n")
        arguments = load_offers().prompts[name.replace("-", "_")].arguments
        assert not [one.name for one in arguments if f"{{{one.name}}}" in text]
        assert "issues.claim" not in text


@ERAS
def test_one_skill_is_got_as_it_was_listed_and_stands_among_the_resources(
    world: World, key: str, era: Era
) -> None:
    send = era(world)

    (first, *_) = answer(send("skills/list", key=key))["result"]["skills"]
    got = answer(send("skills/get", {"uri": first["uri"]}, key=key))["result"]["skill"]
    resources = answer(send("resources/list", key=key))["result"]["resources"]

    assert got == first
    found = next(one for one in resources if one["uri"] == first["uri"])
    assert {"name": found["name"], "description": found["description"]} == first["frontmatter"]


@ERAS
def test_folders_of_a_skill_are_read_to_the_bottom(world: World, key: str, era: Era) -> None:
    def children(uri: str) -> list[dict[str, str]]:
        told = answer(era(world)("resources/directory/read", {"uri": uri}, key=key))
        return list(told["result"]["resources"])

    manifest, folder = children(START)

    assert (manifest["uri"], manifest["mimeType"]) == (f"{START}/SKILL.md", "text/markdown")
    assert folder["mimeType"] == "inode/directory"
    assert [one["name"] for one in children(folder["uri"])] == ["forge.md"]


@pytest.mark.parametrize(
    ("method", "uri"),
    [
        ("resources/directory/read", f"{START}/SKILL.md"),
        ("resources/directory/read", "skill://nothing"),
        ("resources/directory/read", "forge://needs-you"),
        ("resources/read", f"{START}/other.md"),
        ("resources/read", START),
        ("resources/read", "skill://nothing/SKILL.md"),
        ("skills/get", START),
        ("skills/get", "skill://nothing/SKILL.md"),
    ],
)
def test_what_is_no_skill_is_refused(world: World, key: str, method: str, uri: str) -> None:
    assert answer(world.modern(method, {"uri": uri}, key=key))["error"]["code"] == -32602
