"""The drills of the guide: a workspace is exported, lost, brought back and used; and one is restored."""

import json
import shutil
import signal
from pathlib import Path

import httpx
from typer.testing import CliRunner, Result

from forge.cli.emulator import CREDENTIALS, REGION
from forge.cli.main import app
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.store.store import Store
from tests.integration.cli.dev_process import Dev, running_dev
from tests.integration.cli.processes import PLAIN
from tests.integration.cli.test_bootstrap import an_operator, options, rows_of


def forge(*words: str, **environment: str) -> Result:
    """What somebody types, in this process: starting another takes longer than most of it."""
    nothing = {"FORGE_URL": None, "FORGE_KEY": None, "FORGE_TABLE": None, "FORGE_BUCKET": None}
    return CliRunner().invoke(app, words, env={**nothing, **environment})


CONTENT = b"# Notes\n" * 50


def with_a_file(dev: Dev) -> str:
    """The id of an issue that has one."""
    made = dev.call("issues.create", {"title": "Login hangs on Safari", "queue": True}, key=dev.owner_key)
    issue_id = str(made.json()["id"])
    order = {"targetType": "issue", "targetId": issue_id, "filename": "notes.md", "mimeType": "text/markdown"}
    upload = dev.call("attachments.initUpload", {**order, "size": len(CONTENT)}, key=dev.owner_key).json()
    sent = httpx.put(
        upload["uploadUrl"], content=CONTENT, headers=upload["headers"], trust_env=False, verify=PLAIN
    )
    assert sent.status_code == 200, sent.text
    done = dev.call("attachments.finalize", {"attachmentId": upload["attachmentId"]}, key=dev.owner_key)
    assert done.status_code == 200, done.text
    return issue_id


def test_a_local_forge_comes_back_from_its_backup(tmp_path: Path) -> None:
    home, backup, files = tmp_path / "home", tmp_path / "backup.jsonl", tmp_path / "files"
    with running_dev(home) as dev:
        issue_id = with_a_file(dev)
        exported = forge("admin", "export", "--files", str(files), "--home", str(home))
        assert exported.exit_code == 0, exported.stderr
        backup.write_text(exported.stdout, encoding="utf-8")
        busy = forge("import", str(backup), "--home", str(home))
        assert (busy.exit_code, busy.stdout) == (2, "")
        assert dev.stop(signal.SIGINT) == 0
    shutil.rmtree(home)

    done = forge("import", str(backup), "--files", str(files), "--home", str(home), "--json")

    assert done.exit_code == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["filesMissing"], told["rowsWritten"] > 30) == (0, True)
    assert any("keys.create" in one for one in told["toMakeAnew"])
    with running_dev(home) as dev:
        found = dev.call("issues.list", {"query": "login safari"}, key=told["rawKey"]).json()["data"]
        assert [one["id"] for one in found] == [issue_id]
        listed = dev.call(
            "attachments.list", {"targetType": "issue", "targetId": issue_id}, key=dev.owner_key
        )
        (file,) = listed.json()["data"]
        shown = dev.call("attachments.getDownloadUrl", {"attachmentId": file["id"]}, key=dev.owner_key).json()
        assert httpx.get(shown["url"], trust_env=False, verify=PLAIN).content == CONTENT
        made = dev.call("issues.create", {"title": "The next"}, key=told["rawKey"]).json()
        assert made["number"] == found[0]["number"] + 1


def test_a_deployed_workspace_is_restored_from_a_copy_of_its_table(
    store: Store, connections: Connections
) -> None:
    deployed = {
        "FORGE_TABLE": store.table.name,
        "FORGE_BUCKET": store.blobs.bucket,
        "AWS_REGION": REGION,
        "AWS_ENDPOINT_URL": str(connections.endpoint),
        "AWS_ACCESS_KEY_ID": CREDENTIALS[0],
        "AWS_SECRET_ACCESS_KEY": CREDENTIALS[1],
    }
    first = json.loads(forge("bootstrap", *options(), "--json", **deployed).stdout)
    operator = an_operator(store, first["rawKey"])
    issue = operator.call("issues.create", {"title": "As it was"}, surface="mcp")
    copy = provision(connections, f"{store.table.name}-copy")
    for row in rows_of(store):
        copy.table.client.ask("PutItem", {"TableName": copy.table.name, "Item": row})
    operator.call("issues.update", {"issueId": issue["id"], "title": "Spoiled"}, surface="mcp")

    which = ("--from-table", copy.table.name, "--workspace", first["workspaceId"])
    looked = forge("restore", *which, "--dry-run", "--json", **deployed)
    refused = forge("restore", *which, **deployed)
    done = forge("restore", *which, "--replace", "--json", **deployed)

    assert json.loads(looked.stdout)["findings"]["kinds"]["IssueItem"]["other"] == 1
    assert (refused.exit_code, "--replace" in refused.stderr) == (1, True)
    assert done.exit_code == 0, done.stderr
    assert operator.call("issues.get", {"issueId": issue["id"]}, surface="mcp")["title"] == "As it was"
    assert "restore" in {
        row["action"] for row in operator.call("audit.list", {"entity": "workspace"})["data"]
    }


def test_what_is_needed_and_not_given_is_told(tmp_path: Path) -> None:
    backup = tmp_path / "backup.jsonl"
    backup.write_text("{}\n", encoding="utf-8")

    without = forge("import", str(backup), "--table", "somewhere")
    itself = forge("restore", "--from-table", "x", "--table", "x", "--bucket", "x")
    misnamed = forge("import", str(backup), "--slug", "No Slug", "--table", "x", "--bucket", "x")

    assert [one.exit_code for one in (without, itself, misnamed)] == [2, 2, 2]
    assert "--bucket" in without.stderr
    assert "--slug" in misnamed.stderr
