"""Builds the wheel, installs it where nothing else is, and runs `forge dev` there until a tool answers."""

import subprocess
import sys
import tempfile
from pathlib import Path

from infra.uv import uv
from tests.integration.cli.dev_process import running_dev

ROOT = Path(__file__).parents[2]


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        forge = installed(built(place / "dist"), place / "environment")
        with running_dev(place / "home", command=forge) as dev:
            answer = dev.call("workspace.get", key=dev.owner_key)
            print(f"{forge.parent.parent.name}: healthy, workspace.get answers {answer.status_code}")
        return 0 if answer.status_code == 200 else 1


def built(into: Path) -> Path:
    _uv("build", "--wheel", "--out-dir", str(into), str(ROOT))
    (wheel,) = into.glob("*.whl")
    print(f"built {wheel.name}, {wheel.stat().st_size // 1024} KB")
    return wheel


def installed(wheel: Path, into: Path) -> Path:
    """The command of an environment with the wheel, and what it asks for."""
    _uv("venv", "--python", sys.executable, str(into))
    python = into / "bin" / "python"
    _uv("pip", "install", "--compile-bytecode", "--python", str(python), f"{wheel}[local]")
    return python.with_name("forge")


def _uv(*words: str) -> None:
    # Not in the checkout, whose settings and sources would stand in for what the wheel lacks.
    subprocess.run([uv(), *words, "--quiet", "--no-config"], cwd=tempfile.gettempdir(), check=True)


if __name__ == "__main__":
    sys.exit(main())
