"""What is generated and committed stays little enough to be cloned, searched and reviewed."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST_LINES = 35_000


def test_what_is_generated_is_marked_and_has_few_lines() -> None:
    listed = subprocess.run(
        ["git", "ls-files", ":(attr:generated)"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    files = [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).exists()]

    lines = sum(file.read_bytes().count(b"\n") for file in files)

    marked = {file.name for file in files}
    assert {"catalog.json", "finding.json", "openapi.json", "template.yaml", "uv.lock"} <= marked
    assert lines <= MOST_LINES
