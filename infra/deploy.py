"""`make deploy`, `make back`: a team's stack, by the real SAM, into AWS or what answers as AWS does."""

import argparse
import compileall
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from forge import __version__
from infra.stack.functions import Target
from infra.teams.accounts import Account, NoAccount, client
from infra.teams.configurations import FOLDER, BadConfiguration, Configuration, Place
from infra.teams.questions import asked
from infra.teams.versions import NothingBefore, Published, Versions

ROOT = Path(__file__).parent.parent
BUILD = ROOT / ".aws-sam" / "build"
LOCAL_TEMPLATE = ROOT / "template.local.yaml"
RUNTIME = Target().runtime

_SHOWN = ("Url", "McpUrl", "ConsoleUrl", "DashboardUrl", "Bootstrap")


class CommandFailed(SystemExit):
    """What the command said last."""


class Unprepared(Exception):
    """What is missing before a deployment can begin."""


def main() -> int:
    arguments = _arguments()
    try:
        place = Place(arguments.team, arguments.env)
        file = place.file(arguments.configurations)
        if arguments.back or arguments.forward:
            return _move(configured(place, file, Account.reached(), None), is_back=arguments.back)
        if not arguments.built:
            require_runtime()
        account = Account.reached()
        ask = None if arguments.yes or not sys.stdin.isatty() else input
        configuration = configured(place, file, account, ask)
        tell(place, configuration, account)
        if ask and ask("Deploy? [y/N] ").strip().lower() not in {"y", "yes"}:
            return 1
        if not arguments.built:
            build_for_aws(arguments.sam)
        deploy(arguments.sam, configuration, file, template=arguments.built or BUILD / "template.yaml")
    except (BadConfiguration, NoAccount, Unprepared, NothingBefore) as problem:
        print(problem, file=sys.stderr)
        return 2
    except (BotoCoreError, ClientError) as problem:
        print(f"AWS refused: {problem}. The same command can be repeated.", file=sys.stderr)
        return 1
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sam", type=Path, default=ROOT / ".tools" / "sam" / "bin" / "sam")
    parser.add_argument("--team", default="", help="whose stack")
    parser.add_argument("--env", default="prod", help="which of its environments")
    parser.add_argument("--yes", action="store_true", help="ask nothing")
    parser.add_argument("--back", action="store_true", help="return to what was live before it")
    parser.add_argument("--forward", action="store_true", help="return to what was deployed last")
    parser.add_argument("--configurations", type=Path, default=FOLDER, help="the folder of the teams' files")
    parser.add_argument("--built", type=Path, help="deploy this template, which is built already")
    return parser.parse_args()


def require_runtime() -> None:
    """SAM builds with the interpreter that functions run on, and says much less about it."""
    try:
        subprocess.run([RUNTIME, "--version"], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        raise Unprepared(
            f"{RUNTIME} is not here, and functions are built with it. Install it (uv python install 3.13, "
            "pyenv install 3.13, or your system's package) and have it on the PATH."
        ) from None


def configured(place: Place, file: Path, account: Account, ask: Callable[[str], str] | None) -> Configuration:
    """What the place's file says; somebody at a terminal is asked for what is in it the first time."""
    if not file.exists() and ask:
        print(f"{file} is not there yet, so this place is new.")
        asked(place, account, ask).write(place, file)
        print(f"wrote {file}: commit it, and nobody is asked again")
    configuration = Configuration.read(_existing(file, place))
    if configuration.account != account.id:
        raise BadConfiguration(
            f"{file} is for the account {configuration.account}, and these credentials are of "
            f"{account.id}. Use those of the other one (AWS_PROFILE); to move the place, change the file."
        )
    return configuration


def _existing(file: Path, place: Place) -> Path:
    if file.exists():
        return file
    others = ", ".join(sorted(one.stem for one in file.parent.glob("*.toml"))) or "none"
    raise BadConfiguration(
        f"{file} is missing (there are: {others}), and nobody can be asked. Run "
        f"make deploy TEAM={place.team} ENV={place.environment} at a terminal once, and commit the file it "
        "writes."
    )


def tell(place: Place, configuration: Configuration, account: Account) -> None:
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    given = [f"{name}={value}" for name, value in configuration.parameters.items()]
    print(
        f"Forge {__version__} ({commit.stdout.strip() or 'unknown commit'}) for {place}\n"
        f"  stack    {configuration.stack} in {configuration.region}, account {configuration.account}\n"
        f"  as       {account.caller}\n"
        f"  with     {' '.join(given) or 'every parameter at its default'}",
        flush=True,
    )


def build(sam: Path) -> None:
    """`sam build` for this machine, then the bytecode that it leaves out."""
    subprocess.run(
        [sys.executable, "-m", "infra.generate", "--local-template", LOCAL_TEMPLATE], cwd=ROOT, check=True
    )
    quietly([sam, "validate", "--lint", "--template", LOCAL_TEMPLATE], environment=without_account())
    command = [sam, "build", "--template", LOCAL_TEMPLATE, "--build-dir", BUILD]
    quietly(command, environment={**os.environ, "LAYER_OPTIONS": "--this-machine"})
    compileall.compile_dir(
        BUILD, quiet=2, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH, workers=os.cpu_count() or 1
    )


def build_for_aws(sam: Path) -> None:
    """For the runtime of `template.yaml`; SAM ships no bytecode of its own."""
    _loudly([sam, "build", "--template", ROOT / "template.yaml", "--build-dir", BUILD])
    _loudly([RUNTIME, "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", BUILD])


def deploy(sam: Path, configuration: Configuration, file: Path, *, template: Path) -> None:
    """Returns when the stack is complete, callers reach it, and what they reached before is kept."""
    published = _published(configuration)
    before = _live(published)
    _loudly([sam, "deploy", "--template-file", template, "--config-file", file.resolve(), "--no-progressbar"])
    published.settle()
    published.remember(before)
    described: Any = published.cloudformation.describe_stacks(StackName=configuration.stack)
    outputs = {one["OutputKey"]: one["OutputValue"] for one in described["Stacks"][0]["Outputs"]}
    print("\n".join(f"{name}: {outputs[name]}" for name in _SHOWN if name in outputs))


def _live(published: Published) -> Versions:
    """Nothing, where there is no stack yet."""
    try:
        return published.live()
    except ClientError as problem:
        if problem.response["Error"]["Code"] == "ValidationError":
            return {}
        raise


def _move(configuration: Configuration, *, is_back: bool) -> int:
    published = _published(configuration)
    moved = published.back() if is_back else published.settle()
    where = "before the last deployment" if is_back else "of the last deployment"
    print(f"{configuration.stack}: {moved} functions went over to the versions {where}")
    return 0


def _published(configuration: Configuration) -> Published:
    region = configuration.region
    return Published(configuration.stack, client("cloudformation", region), client("lambda", region))


def without_account() -> dict[str, str]:
    """The environment without anything by which a real account could be reached."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    return kept | {"SAM_CLI_TELEMETRY": "0", "AWS_DEFAULT_REGION": "us-east-1"}


def quietly(command: list[Any], *, environment: dict[str, str]) -> str:
    """What the command said; a failure shows it."""
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CommandFailed(
            f"{' '.join(map(str, command[:2]))} failed:\n{done.stdout[-40_000:]}\n{done.stderr[-4000:]}"
        )
    return done.stdout


def _loudly(command: list[Any]) -> None:
    """Whoever deploys sees how far it is."""
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "SAM_CLI_TELEMETRY": "0"}, check=False)
    if done.returncode != 0:
        raise Unprepared(
            f"{Path(command[0]).name} {command[1]} failed; what it says above is why. "
            "docs/guides/deploy.md has what to do about a stack that is half made."
        )


if __name__ == "__main__":
    sys.exit(main())
