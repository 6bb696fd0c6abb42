"""The router starts cold without what only some requests need: that is most of its start."""

import pkgutil
import subprocess
import sys

import functions

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


def test_router_imports_no_heavy_package() -> None:
    packages = {module.partition(".")[0] for module in modules_after("import functions.router.app")}

    assert packages & HEAVY == set()


def test_router_imports_no_namespace() -> None:
    modules = modules_after("import functions.router.app")

    in_functions = {module.split(".")[1] for module in modules if module.startswith("functions.")}
    assert in_functions == {"router"}


def test_no_function_that_agents_wait_for_imports_powertools() -> None:
    observed = {"admin", "relay", "sweep"}
    apps = [f"functions.{folder.name}.app" for folder in pkgutil.iter_modules(functions.__path__)]
    waited_for = [app for app in apps if app.split(".")[1] not in observed]

    modules = modules_after(f"import {', '.join(waited_for)}")

    assert {"functions.router.app", "functions.issues.app", "functions.workspace.app"} <= set(modules)
    assert "aws_lambda_powertools" not in modules


def modules_after(statement: str) -> list[str]:
    """What a fresh interpreter has loaded after it."""
    ended = subprocess.run(
        [sys.executable, "-c", f"import sys\n{statement}\nprint(*sorted(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
    )
    return ended.stdout.split()
