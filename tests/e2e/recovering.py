"""A workspace that comes back: from its export in another stack, and as it was in a copy of the table."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from forge.cli.emulator import CREDENTIALS, REGION
from forge.store.physical import table_definition
from tests.e2e.client import Client
from tests.e2e.requiring import expect, require
from tests.e2e.teams import Team


def a_workspace_goes_on_in_another_stack_from_its_export(teams: list[Team]) -> None:
    source, target = teams
    issue = expect(source.client.rest("issues.create", {"title": "Moves house"}), 200)
    exported = expect(source.client.rest("export", surface="admin"), 200)
    with tempfile.TemporaryDirectory() as folder:
        backup = Path(folder) / "backup.jsonl"
        backup.write_text(exported, encoding="utf-8")
        looked = _forge(target, "import", str(backup), "--dry-run")
        told = _forge(target, "import", str(backup))

    require(looked["rowsWritten"] == 0 < told["rowsWritten"], (looked, told))
    there = Client(target.client.endpoint, target.stack.api_id, told["rawKey"])
    found = expect(there.rest("issues.get", {"id": issue["identifier"]}), 200)
    require((found["id"], found["title"]) == (issue["id"], "Moves house"), found)
    following = expect(there.rest("issues.create", {"title": "The next"}), 200)
    require(following["number"] == issue["number"] + 1, following)
    listed = expect(target.client.rest("issues.list", {"query": "moves house"}), 200)["data"]
    require(listed == [], "another team sees it")


def a_workspace_is_again_as_it_was_in_a_copy_of_the_table(teams: list[Team]) -> None:
    team = teams[0]
    workspace = expect(team.client.rest("workspace.get"), 200)
    issue = expect(team.client.rest("issues.create", {"title": "As it was"}), 200)
    copy = _copy_of(team)
    expect(team.client.rest("issues.update", {"id": issue["id"], "title": "Spoiled"}), 200)

    done = _forge(team, "restore", "--from-table", copy, "--workspace", workspace["id"], "--replace")

    require(done["rowsWritten"] > 0, done)
    found = expect(team.client.rest("issues.get", {"id": issue["id"]}), 200)
    require(found["title"] == "As it was", found)


def _copy_of(team: Team) -> str:
    """What point-in-time recovery makes, which the emulator can't."""
    dynamodb: Any = team.connections.dynamodb()
    table = team.stack.outputs["TableName"]
    copy = f"{table}-copy"
    definition = {part: value for part, value in table_definition().items() if "Stream" not in part}
    dynamodb.create_table(TableName=copy, **definition)
    for page in dynamodb.get_paginator("scan").paginate(TableName=table):
        for item in page["Items"]:
            dynamodb.put_item(TableName=copy, Item=item)
    return copy


def _forge(team: Team, *words: str) -> Any:
    """What an operator types, with credentials of the account."""
    environment = {
        **os.environ,
        "FORGE_TABLE": team.stack.outputs["TableName"],
        "FORGE_BUCKET": team.physical_id("Bucket"),
        "AWS_REGION": REGION,
        "AWS_ENDPOINT_URL": str(team.connections.endpoint),
        "AWS_ACCESS_KEY_ID": CREDENTIALS[0],
        "AWS_SECRET_ACCESS_KEY": CREDENTIALS[1],
    }
    command = [str(Path(sys.executable).with_name("forge")), *words, "--json"]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    require(ended.returncode == 0, ended.stderr[-2000:])
    return json.loads(ended.stdout)


CHECKS = (
    a_workspace_goes_on_in_another_stack_from_its_export,
    a_workspace_is_again_as_it_was_in_a_copy_of_the_table,
)
