"""The router starts cold without what only some requests need: that is most of its start."""

import subprocess
import sys

HEAVY = frozenset(
    [
        "boto3",
        "botocore",
        "fastapi",
        "jwt",
        "mangum",
        "pydantic",
        "pydantic_core",
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


def modules_after(statement: str) -> list[str]:
    """What a fresh interpreter has loaded after it."""
    ended = subprocess.run(
        [sys.executable, "-c", f"import sys\n{statement}\nprint(*sorted(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
    )
    return ended.stdout.split()
