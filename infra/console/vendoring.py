"""Copies the libraries of the console from npm into it, with their licences and with what is in them.

make vendor. A browser finds modules by where they are, and packages name one another: such names become
paths, and nothing else of a file changes. `manifest.json` says of each file where it is from, and its hash.
"""

import argparse
import json
import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
VENDOR = ROOT / "shared" / "forge" / "console" / "vendor"
LOCK = Path(__file__).with_name("package-lock.json")
MANIFEST = "manifest.json"

_SOURCE_MAP = re.compile(r"^//# sourceMappingURL=.*\n?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Copy:
    """One file of a package; `exports` is for a script that leaves its only name global."""

    name: str
    package: str
    source: str
    exports: str = ""


COPIES = (
    Copy("preact.js", "preact", "dist/preact.mjs"),
    Copy("hooks.js", "preact", "hooks/dist/hooks.mjs"),
    Copy("htm.js", "htm", "dist/htm.module.js"),
    Copy("marked.js", "marked", "lib/marked.esm.js"),
    Copy("uplot.js", "uplot", "dist/uPlot.iife.min.js", exports="uPlot"),
    Copy("uplot.css", "uplot", "dist/uPlot.min.css"),
)
_NAMED = {'from"preact"': 'from"./preact.js"'}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--packages", type=Path, required=True, help="the node_modules to copy from")
    packages: Path = parser.parse_args().packages
    VENDOR.mkdir(exist_ok=True)
    manifest = [_copied(copy, packages) for copy in COPIES]
    for package in sorted({copy.package for copy in COPIES}):
        licence = (packages / package / "LICENSE").read_text(encoding="utf-8")
        (VENDOR / f"{package}.LICENSE").write_text(licence, encoding="utf-8")
    (VENDOR / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    return 0


def _copied(copy: Copy, packages: Path) -> dict[str, str]:
    original = (packages / copy.package / copy.source).read_bytes()
    about: dict[str, Any] = json.loads((packages / copy.package / "package.json").read_bytes())
    content = adapted(original.decode(), copy.exports).encode()
    (VENDOR / copy.name).write_bytes(content)
    return {
        "file": copy.name,
        "package": copy.package,
        "version": about["version"],
        "license": about["license"],
        "source": copy.source,
        "sourceSha256": sha256(original).hexdigest(),
        "sha256": sha256(content).hexdigest(),
    }


def adapted(text: str, exports: str = "") -> str:
    """As a browser finds it."""
    for name, path in _NAMED.items():
        text = text.replace(name, path)
    text = _SOURCE_MAP.sub("", text)
    return f"{text.rstrip()}\nexport default {exports};\n" if exports else text


if __name__ == "__main__":
    raise SystemExit(main())
