"""What the pipeline ranks with is in a layer of its own, and nobody else has or imports it."""

import copy
import shutil
from importlib.resources import files
from pathlib import Path
from typing import Any

from forge.contract.tools import Namespace
from infra.layer import trim_pipeline
from infra.registry import find_namespaces
from infra.stack.functions import (
    LAYER,
    PIPELINE,
    PIPELINE_LAYER,
    ROUTER,
    Target,
    function_id,
    function_resources,
    layers_of,
)
from tests.contract.layers import packages_of
from tests.contract.stacks import translated
from tests.unit.wire.test_router_imports import modules_after

ROOT = Path(__file__).parents[2]
ITS_OWN = {"markdown_it", "numpy", "rank_bm25", "yaml"}


def resources() -> dict[str, Any]:
    folders = {PIPELINE: Namespace(PIPELINE, "Stands in where there is none."), **find_namespaces()}
    return function_resources(folders, Target(), [])


def functions() -> dict[str, Any]:
    return {
        name: one["Properties"]
        for name, one in resources().items()
        if one["Type"] == "AWS::Serverless::Function"
    }


def test_only_the_pipeline_function_has_its_layer_and_the_router_where_it_runs_tools_itself() -> None:
    with_it = {name for name, one in functions().items() if PIPELINE_LAYER in str(one["Layers"])}

    assert with_it == {function_id(PIPELINE), function_id(ROUTER)}
    assert functions()[function_id(PIPELINE)]["Layers"] == [{"Ref": LAYER}, {"Ref": PIPELINE_LAYER}]
    assert functions()[function_id(ROUTER)]["Layers"][1] == {
        "Fn::If": ["RouterInvokes", {"Ref": "AWS::NoValue"}, {"Ref": PIPELINE_LAYER}]
    }
    assert layers_of("issues") == [LAYER]


def test_after_sams_transform_both_lead_to_the_same_version_of_it() -> None:
    made = copy.deepcopy(resources())

    transformed = translated({"Transform": "AWS::Serverless-2016-10-31", "Resources": made})

    (layer,) = [name for name in transformed if name.startswith(PIPELINE_LAYER)]
    router, pipeline = (
        transformed[function_id(folder)]["Properties"]["Layers"] for folder in (ROUTER, PIPELINE)
    )
    assert pipeline[1] == {"Ref": layer}
    assert router[1]["Fn::If"][2] == {"Ref": layer}


def test_without_a_pipeline_there_is_no_layer_for_it() -> None:
    folders = {name: one for name, one in find_namespaces().items() if name != PIPELINE}

    made = function_resources(folders, Target(), [])

    assert PIPELINE_LAYER not in str(made)


def test_sam_finds_how_to_build_it_and_it_repeats_nothing_of_the_other() -> None:
    names = packages_of("", "pipeline-")

    assert (ROOT / "Makefile").read_text().count(f"\nbuild-{PIPELINE_LAYER}:") == 1
    assert names[0] & names[1] == set()
    assert {"markdown-it-py", "numpy", "rank-bm25", "pyyaml"} <= names[1]


def test_no_function_imports_what_is_in_it_when_it_starts() -> None:
    """The pipeline function neither: most of its calls rank nothing."""
    apps = [f"functions.{app.parent.name}.app" for app in sorted((ROOT / "functions").glob("*/app.py"))]
    rooms = "forge.work.pipelines.desk.knowledge, forge.work.pipelines.prompts.workflow_rules"

    modules = set(modules_after(f"import {', '.join(apps)}, {rooms}"))

    assert {"functions.issues.app", "forge.work.pipelines.learning.similar"} <= modules
    assert modules & ITS_OWN == set()


def test_only_the_ranking_the_rules_and_what_agents_write_name_what_is_in_it() -> None:
    pipelines = ROOT / "shared" / "forge" / "work" / "pipelines"
    naming = {
        file
        for folder in ("functions", "shared/forge")
        for file in (ROOT / folder).rglob("*.py")
        for line in file.read_text(encoding="utf-8").splitlines()
        if line.split()[:1] in (["import"], ["from"]) and line.split()[1].partition(".")[0] in ITS_OWN
        if not {"testing", "cli"} & set(file.parts)
    }

    rooms = ("learning/ranking.py", "prompts/workflow_rules.py", "markdown.py")
    assert naming == {pipelines / room for room in rooms}


def test_what_it_leaves_out_of_numpy_nobody_misses(tmp_path: Path) -> None:
    for package in ("numpy", "yaml"):
        shutil.copytree(str(files(package)), tmp_path / package)
    libraries = Path(str(files("numpy"))).parent / "numpy.libs"
    if libraries.exists():
        shutil.copytree(libraries, tmp_path / "numpy.libs")
    trim_pipeline(tmp_path)

    found = modules_after(
        f"sys.path.insert(0, {str(tmp_path)!r})\n"
        "from forge.work.pipelines.learning.ranking import Ranking\n"
        "ranking = Ranking(); ranking.add([['auth'], ['login']])\n"
        "assert ranking.best(['auth'], 1)[0][0] == 0\n"
        "import numpy\n"
        f"assert numpy.__file__.startswith({str(tmp_path)!r})"
    )

    assert not (tmp_path / "numpy" / "f2py").exists()
    assert "numpy" in found
