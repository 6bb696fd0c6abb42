"""The layer holds what functions need, and sam builds it by the Makefile."""

import gzip
import json
import re
import shutil
from datetime import datetime
from importlib.resources import files
from pathlib import Path

from botocore.regions import EndpointResolver

from forge.clock import system_now
from forge.wire.identity import BUILD_FILE, Build
from forge.wire.pages import ASSETS
from forge.work.pipelines.prompts.instructions import AGENTS
from infra.layer import LEFT_OUT, SERVICES, stamp, trim
from tests.contract.stacks import RESOURCES

ROOT = Path(__file__).parents[2]
FORGE = ROOT / "shared" / "forge"
DEPLOYED = [file for part in ("auth", "store", "wire", "work") for file in (FORGE / part).rglob("*.py")]

_CONNECTION = re.compile(r"""\.connect\(\s*["'](?P<service>[a-z0-9-]+)["']""")


def test_every_service_that_functions_connect_to_is_described_in_the_layer() -> None:
    named = {match["service"] for file in DEPLOYED for match in _CONNECTION.finditer(file.read_text())}

    assert {"s3", "sqs"} <= named
    assert named <= SERVICES


def test_of_the_docs_page_it_keeps_what_is_served_and_no_more(tmp_path: Path) -> None:
    package = Path(str(files("fastapi_offline")))
    shutil.copytree(package, tmp_path / "fastapi_offline")
    (tmp_path / "botocore" / "data").mkdir(parents=True)

    trim(tmp_path)

    kept = {file.name for file in (tmp_path / "fastapi_offline" / "static").iterdir()}
    assert kept == {name for name in ASSETS if (package / "static" / name).exists()}
    assert {"swagger-ui.css", "swagger-ui-bundle.js"} <= kept


def test_botocore_finds_every_service_that_is_described_and_knows_no_other(tmp_path: Path) -> None:
    data = Path(str(files("botocore"))) / "data"
    (tmp_path / "botocore" / "data").mkdir(parents=True)
    shutil.copy(data / "endpoints.json", tmp_path / "botocore" / "data")
    (tmp_path / "fastapi_offline" / "static").mkdir(parents=True)
    prefixes = {
        json.loads(gzip.decompress(next((data / service).glob("*/service-2.json.gz")).read_bytes()))[
            "metadata"
        ]["endpointPrefix"]
        for service in SERVICES
    }

    trim(tmp_path)

    kept = json.loads((tmp_path / "botocore" / "data" / "endpoints.json").read_text())
    whole = EndpointResolver(json.loads((data / "endpoints.json").read_text()))
    assert set(kept["partitions"][0]["services"]) == prefixes
    for service in prefixes:
        for region in ("eu-central-1", "us-gov-west-1", "cn-north-1"):
            found = EndpointResolver(kept).construct_endpoint(service, region)
            assert found == whole.construct_endpoint(service, region)


def test_it_says_which_build_it_is_and_a_checkout_says_nothing(tmp_path: Path) -> None:
    (tmp_path / BUILD_FILE).parent.mkdir(parents=True)
    before = system_now()

    stamp(tmp_path)

    told = Build.shipped(str(tmp_path))
    assert re.fullmatch(r"[0-9a-f]{40}(-dirty)?|unknown", told.git_sha)
    assert told.time.endswith("Z")
    assert before.replace(microsecond=0) <= datetime.fromisoformat(told.time) <= system_now()
    assert Build.shipped() == Build("unknown", "unknown")


def test_sam_finds_how_to_build_it() -> None:
    layer = RESOURCES["SharedLayer"]

    assert layer["Metadata"]["BuildMethod"] == "makefile"
    assert (ROOT / layer["Metadata"]["ContextPath"] / "Makefile").read_text().count(
        "\nbuild-SharedLayer:"
    ) == 1


def test_it_takes_along_what_agents_of_pipelines_are_told(tmp_path: Path) -> None:
    """Texts beside the code, which only a function that was deployed would miss."""
    copied = tmp_path / "forge"

    shutil.copytree(FORGE, copied, ignore=LEFT_OUT)

    agents = copied / "work" / "pipelines" / "prompts" / "agents"
    assert {file.stem for file in agents.glob("*.md")} == set(AGENTS)
    assert not (copied / "testing").exists()


def test_it_takes_along_all_that_the_console_is_made_of(tmp_path: Path) -> None:
    shutil.copytree(FORGE, tmp_path / "forge", ignore=LEFT_OUT)

    def files_in(folder: Path) -> set[str]:
        return {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}

    console = files_in(tmp_path / "forge" / "console")
    assert console == files_in(FORGE / "console")
    assert {"index.html", "icon.svg", "css/base.css", "js/main.js", "js/pages/inbox.js"} <= console
