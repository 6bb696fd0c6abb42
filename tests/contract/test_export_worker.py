"""Who exports, in the template: the one that may read everything, and how little else it may."""

import json

from forge.store.store import Store
from forge.testing.instruments import Counter, watched
from forge.testing.world import World
from forge.work.background import export_files
from forge.work.workspace.workers import worker_of
from infra.generate import ROOT
from infra.stack.data import queue_id
from infra.stack.functions import ADMIN, EXPORTS, SWEEP
from tests.contract.permissions import Request, allows, object_request
from tests.contract.stacks import RESOURCES
from tests.contract.stage import Stage
from tests.contract.test_permissions import refused, rights_of
from tests.contract.test_template import actions_of, of_type, statements_of


def test_nobody_may_scan_but_who_exports_or_erases() -> None:
    roles = of_type("AWS::IAM::Role")

    scanning = {name for name in roles if any("Scan" in action for action in actions_of(name))}
    taking = {name for name in of_type("AWS::Serverless::Function") if "ExportsRole" in str(RESOURCES[name])}
    everything = [one for one in statements_of(RESOURCES) if "Scan" in str(one["Action"])]

    assert scanning == {"ExportsRole", "ErasuresRole"}
    assert taking == {"ExportsFunction"}
    # Of the table, and of no index.
    assert [one["Resource"] for one in everything] == [[{"Fn::GetAtt": ["Table", "Arn"]}]] * 2


def test_who_exports_writes_nothing_but_orders_and_files_of_its_own() -> None:
    statements = [*statements_of(RESOURCES["ExportsRole"]["Properties"]["Policies"])]
    (items,) = (one for one in statements if "dynamodb:PutItem" in one["Action"])
    (files,) = (one for one in statements if "s3:PutObject" in one["Action"])

    leading = items["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]
    assert leading == ["WS#*#EXPORT#*", "WS#*#LOG", "WS#*#LOG#*"]
    assert files["Resource"] == [{"Fn::Sub": "${Bucket.Arn}/exports/*"}]


def test_the_bucket_lets_go_of_what_was_exported() -> None:
    rules = RESOURCES["Bucket"]["Properties"]["LifecycleConfiguration"]["Rules"]

    (rule,) = (one for one in rules if one.get("Prefix") == "exports/")
    assert (rule["Status"], rule["ExpirationInDays"]) == ("Enabled", 7)


def test_who_exports_may_do_what_it_takes(store: Store) -> None:
    world, used = World(store=store), Counter()
    export_id = Stage(world).call("export", {})["exportId"]
    message = json.dumps({"workspaceId": world.workspace.id, "exportId": export_id})
    services = world.services._replace(store=watched(store, used))

    assert export_files.consume(worker_of(services, "exports"), message)

    rights = rights_of(EXPORTS)
    assert used.writes == 2
    assert refused(rights, used.sent) == []
    for name in ("texts/ws_1/iss_1/txt_1", "pipelines/ws_1/p/design.md/1-a"):
        assert allows(rights, object_request("GetObject", name))
    assert allows(rights, object_request("PutObject", f"exports/{world.workspace.id}/{export_id}.jsonl"))
    assert not allows(rights, object_request("GetObject", "ws_1/attachments/issue/iss_1/att_1-a.png"))


def test_operators_and_the_sweep_may_have_something_exported() -> None:
    for folder in (ADMIN, SWEEP):
        assert allows(rights_of(folder), Request("sqs:SendMessage", f"arn:{queue_id(EXPORTS)}.Arn"))


def test_no_other_source_scans() -> None:
    sources = [*(ROOT / "shared" / "forge").rglob("*.py"), *(ROOT / "functions").rglob("*.py")]
    of_tests = ROOT / "shared" / "forge" / "testing"

    scanning = {
        file
        for file in sources
        if any(word in file.read_text(encoding="utf-8") for word in (".scan(", "erasing.of_", "erasing.in_"))
    }

    assert {file.relative_to(ROOT).as_posix() for file in scanning if of_tests not in file.parents} == {
        "shared/forge/work/background/erasures/of_workspaces.py",
        "shared/forge/work/background/erasures/users.py",
        "shared/forge/work/background/export_files.py",
        # An operator's command, and no function: one request, to see which workspaces there are.
        "shared/forge/cli/doctor/workspaces.py",
    }
