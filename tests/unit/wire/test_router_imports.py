"""The router starts cold without what only some requests need: that is most of its start."""

import os
import pkgutil
import subprocess
import sys

import functions
from tests.unit.store.local_server import http, serving

HEAVY = frozenset(
    [
        "aws_lambda_powertools",
        "boto3",
        "botocore",
        "fastapi",
        "jwt",
        "mangum",
        "numpy",
        "pydantic",
        "pydantic_core",
        "rank_bm25",
        "rapidfuzz",
        "starlette",
        "ulid",
    ]
)


USING_A_TABLE = """
import os
from forge.store.keys import SharedKey
from forge.store.transactions import Transaction
from forge.wire.backend import open_backend

store = open_backend({**os.environ, "FORGE_TABLE": "t", "FORGE_BUCKET": "b"}).services.store
store.table.query("WS#1", limit=1)
tx = Transaction("t", origin=None)
tx.tally(SharedKey("WS#1", "COUNT"), "issues", 1)
store.commit(tx)
"""


def test_router_imports_no_heavy_package() -> None:
    packages = {module.partition(".")[0] for module in modules_after("import functions.router.app")}

    assert packages & HEAVY == set()


def test_router_imports_no_namespace() -> None:
    modules = modules_after("import functions.router.app")

    in_functions = {module.split(".")[1] for module in modules if module.startswith("functions.")}
    assert in_functions == {"router"}


def test_no_function_that_agents_wait_for_imports_powertools() -> None:
    observed = {
        "admin",
        "relay",
        "dispatch",
        "waits",
        "tasks",
        "errands",
        "exports",
        "erasures",
        "words",
        "sweep",
    }
    apps = [f"functions.{folder.name}.app" for folder in pkgutil.iter_modules(functions.__path__)]
    waited_for = [app for app in apps if app.split(".")[1] not in observed]

    modules = modules_after(f"import {', '.join(waited_for)}")

    assert {"functions.router.app", "functions.issues.app", "functions.workspace.app"} <= set(modules)
    assert "aws_lambda_powertools" not in modules


def test_a_tool_is_loaded_without_a_look_at_the_installed_distributions() -> None:
    loading = """
from forge.contract.catalog import load_catalog
from forge.wire import execution
tool = execution.load(load_catalog().get("issues.get"))
tool.parse({"id": "DEMO-1"})
"""

    modules = modules_after(loading)

    assert "functions.issues.tools.reading" in modules
    assert {"importlib.metadata", "email", "zipfile"} & set(modules) == set()


def test_a_deployment_that_reads_and_writes_its_table_loads_no_botocore() -> None:
    with serving(lambda received: http(b'{"Items": [], "Attributes": {}}')) as server:
        packages = {module.partition(".")[0] for module in modules_after(USING_A_TABLE, at=server.url)}

        assert [received.headers["x-amz-target"][18:] for received in server.received] == [
            "Query",
            "TransactWriteItems",
        ]
    assert packages & {"boto3", "botocore", "urllib3", "http"} == set()


def modules_after(statement: str, *, at: str = "") -> list[str]:
    """What a fresh interpreter has loaded after it; `at` is where it finds AWS."""
    aws = {"AWS_ENDPOINT_URL": at, "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"}
    ended = subprocess.run(
        [sys.executable, "-c", f"import sys\n{statement}\nprint(*sorted(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | (aws if at else {}),
    )
    return ended.stdout.split()
