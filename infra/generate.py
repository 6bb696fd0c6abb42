"""Writes everything that is derived from the declarations, or with --check says what has drifted."""

import argparse
import json
import platform
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from forge.contract.catalog import CATALOG_FILE
from forge.contract.compiler import compile_catalog, compile_offers
from forge.contract.finding import FINDING_FILE
from forge.contract.offers import OFFERS_FILE, Offers
from forge.contract.tools import Namespace
from forge.wire.cards import registry_entry
from infra.console.forms import FORMS_FILE, forms_text
from infra.costs import with_costs
from infra.events import example_events
from infra.finding import compile_finder
from infra.layout import laid_out
from infra.offers import offers_page
from infra.openapi import OPENAPI_FILE, openapi_document
from infra.plugin import owned_files, plugin_files
from infra.reference import reference_pages
from infra.registry import find_namespaces, find_offerings
from infra.scale.page import scale_page
from infra.scale.recorded import recorded_task
from infra.stack.functions import Target
from infra.template import template, template_text
from infra.uv import uv

ROOT = Path(__file__).parent.parent
REFERENCE = ROOT / "docs" / "reference"
EVENTS = ROOT / "docs" / "examples" / "events"
REGISTRY_FILE = ROOT / "server.json"
REGISTRY_NAME = "com.example/forge"
"""Whoever publishes puts a namespace of their own there, which the registry has them prove."""
DEPLOY_GUIDE = ROOT / "docs" / "guides" / "deploy.md"

_READABLE = 110
# A field of a tool, so that the line which differs says which field it is.
ONE_FIELD = 200
# A tool of the search, an operation or a schema of OpenAPI: what only programs read.
_ONE_DEFINITION = 10_000

Files = dict[Path, str]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail if anything would change")
    parser.add_argument("--catalog", action="store_true", help="write only what tools are called by")
    parser.add_argument("--local-template", type=Path, help="write only a template for this machine, there")
    arguments = parser.parse_args()
    if arguments.local_template:
        text = template_text(find_namespaces(), this_machine())
        arguments.local_template.write_text(text, encoding="utf-8")
        return 0
    if arguments.catalog:
        for path, text in _called_by(find_namespaces()).items():
            path.write_text(text, encoding="utf-8")
        return 0
    return _write(generated_files(), is_check=arguments.check)


def this_machine() -> Target:
    """For emulators that run functions with the interpreter at hand."""
    machine = {"x86_64": "x86_64", "aarch64": "arm64", "arm64": "arm64"}[platform.machine()]
    return Target(runtime=f"python{sys.version_info.major}.{sys.version_info.minor}", architecture=machine)


def _write(files: Files, *, is_check: bool) -> int:
    stale = sorted(_owned_files() - set(files))
    changed = [path for path, text in sorted(files.items()) if not _is_current(path, text)]
    for path in [*changed, *stale]:
        print(f"{'drifted' if is_check else 'wrote'}: {path.relative_to(ROOT)}")
    if is_check:
        return _verdict([*changed, *stale])
    for path in stale:
        path.unlink()
    for path in changed:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files[path], encoding="utf-8")
    return 0


def generated_files() -> Files:
    namespaces = find_namespaces()
    shared = _requirements()
    extras = {extra: _requirements("--extra", extra) for extra in ("pipeline", "github", "oauth")}
    # Who has this layer has that one, too.
    extras["oauth"] = [line for line in extras["oauth"] if line not in extras["github"]]
    resources = template(namespaces, Target())["Resources"]
    return {
        **_called_by(namespaces),
        Path(FINDING_FILE): _json(compile_finder(namespaces), width=_ONE_DEFINITION),
        OPENAPI_FILE: _json(openapi_document(namespaces.values()), width=_ONE_DEFINITION),
        ROOT / "shared" / "requirements.txt": _requirements_text(shared),
        **{
            # What the shared layer has is not installed twice.
            ROOT / "shared" / f"{extra}-requirements.txt": _requirements_text(
                [line for line in lines if line not in shared]
            )
            for extra, lines in extras.items()
        },
        FORMS_FILE: forms_text(namespaces.values()),
        ROOT / "template.yaml": template_text(namespaces, Target()),
        REFERENCE / "scale.md": scale_page(recorded_task(), resources),
        DEPLOY_GUIDE: with_costs(DEPLOY_GUIDE.read_text(encoding="utf-8"), resources),
        **{EVENTS / f"{folder}.json": _json(event) for folder, event in example_events(namespaces).items()},
        REFERENCE / "offers.md": offers_page(find_offerings()),
        REGISTRY_FILE: json.dumps(registry_entry(REGISTRY_NAME), indent=2, ensure_ascii=False) + "\n",
        **plugin_files(Offers.from_document(compile_offers(find_offerings().values()))),
        **{REFERENCE / name: text for name, text in reference_pages(namespaces).items()},
    }


def _called_by(namespaces: Mapping[str, Namespace]) -> Files:
    """What tools are called by, and what is offered besides."""
    return {
        Path(CATALOG_FILE): _json(compile_catalog(namespaces.values()), width=ONE_FIELD),
        Path(OFFERS_FILE): _json(compile_offers(find_offerings().values()), width=ONE_FIELD),
    }


def _requirements(*options: str) -> list[str]:
    plain = ("--no-emit-project", "--no-hashes", "--no-annotate", "--no-header")
    command = [uv(), "export", "--frozen", "--no-dev", *plain, *options]
    exported = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return exported.stdout.splitlines()


def _requirements_text(lines: list[str]) -> str:
    return "\n".join(["# Generated from uv.lock by `make generate`.", *lines, ""])


def _owned_files() -> set[Path]:
    pages = {path for folder in (EVENTS, REFERENCE) for path in folder.glob("*") if path.is_file()}
    return {*pages, *owned_files()}


def _is_current(path: Path, text: str) -> bool:
    return path.exists() and path.read_text(encoding="utf-8") == text


def _verdict(drifted: list[Path]) -> int:
    print("run `make generate` and commit what it wrote" if drifted else "generated files are fresh")
    return 1 if drifted else 0


def _json(document: Any, width: int = _READABLE) -> str:
    return laid_out(document, width) + "\n"


if __name__ == "__main__":
    sys.exit(main())
