"""Who installs the wheel has all that it imports: no more than `forge[local]` is needed for `forge dev`."""

import sys
import tomllib
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import grimp
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from forge import __version__

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
OURS = ("forge", "functions")


def test_all_that_forge_dev_imports_is_a_requirement_of_its_extra() -> None:
    """A tool's namespace is imported by the name in the catalog, so all of them count."""
    graph = grimp.build_graph(
        *OURS, include_external_packages=True, exclude_type_checking_imports=True, cache_dir=None
    )
    begun = [name for name in graph.modules if name.startswith(("forge.cli.", "functions."))]
    reached = set().union(*(graph.find_upstream_modules(name) for name in begun))
    foreign = {name for name in reached if not name.startswith(OURS)} - sys.stdlib_module_names
    providers = packages_distributions()
    installed = installed_with("local")

    missing = {name for name in foreign if not installed & set(map(canonicalize_name, providers[name]))}

    assert {"ministack", "uvicorn"} <= foreign
    assert missing == set()


def test_the_package_says_the_version_that_is_installed() -> None:
    assert __version__ == PROJECT["version"]


def installed_with(extra: str) -> set[str]:
    """The distributions that `pip install forge[extra]` brings, by what they say of themselves."""
    seen: set[str] = set()
    waiting = [*map(Requirement, PROJECT["dependencies"]), Requirement(f"forge[{extra}]")]
    while waiting:
        wanted = waiting.pop()
        if wanted.name == "forge":
            extras = PROJECT["optional-dependencies"]
            waiting += [Requirement(line) for one in wanted.extras for line in extras[one]]
        elif canonicalize_name(wanted.name) not in seen:
            seen.add(canonicalize_name(wanted.name))
            waiting += [
                one
                for one in map(Requirement, requires(wanted.name) or ())
                if one.marker is None or one.marker.evaluate({"extra": ""})
            ]
    return seen
