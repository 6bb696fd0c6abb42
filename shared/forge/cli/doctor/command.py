"""The command: finds the deployment, looks at it, and tells what it found as it finds it."""

import json
from dataclasses import replace
from pathlib import Path

from rich.text import Text

from forge import __version__
from forge.cli.calls import BadArguments, err, out, printable
from forge.cli.doctor import deployments
from forge.cli.doctor.checkup import Checkup, looked
from forge.cli.doctor.deployments import Deployment
from forge.cli.doctor.findings import Finding, Level, worst_of
from forge.cli.progress import progress
from forge.clock import system_now
from forge.store.operators import operators_connections

_STYLES = {Level.OK: "green", Level.SKIP: "dim", Level.WARN: "yellow", Level.FAIL: "bold red"}
_NAMES_WIDTH = 13


def run(
    *,
    stack: str,
    table: str,
    region: str,
    endpoint: str | None,
    url: str,
    home: Path,
    named: tuple[str, ...],
    as_json: bool,
) -> int:
    """1 where something fails, 2 where nothing could be looked at."""
    found: list[Deployment] = []

    def find() -> list[Finding]:
        found.append(_deployment(stack, table, region, endpoint, home))
        return []

    try:
        problems = looked("deployment", find)
        if problems:
            _tell(problems, as_json=as_json)
            return 1
        deployment = replace(found[0], url=url) if url else found[0]
        return _look(Checkup(deployment, __version__, system_now(), named=named), as_json=as_json)
    except BadArguments as problem:
        err.print(printable(str(problem)), markup=False)
        return 2


def _deployment(stack: str, table: str, region: str, endpoint: str | None, home: Path) -> Deployment:
    if not stack and not table:
        return deployments.at_home(home)
    connections = operators_connections(region, endpoint)
    return deployments.of_stack(connections, stack) if stack else deployments.of_table(connections, table)


def _look(checkup: Checkup, *, as_json: bool) -> int:
    findings: list[Finding] = []
    with progress("Looking", total=checkup.count()) as advance:
        for finding in checkup.findings(lambda check: advance(note=check)):
            findings.append(finding)
            if not as_json:
                show(finding)
    if as_json:
        _tell_json(findings, deployment=checkup.deployment.called)
    return 1 if worst_of(findings) is Level.FAIL else 0


def _tell(findings: list[Finding], *, as_json: bool) -> None:
    if as_json:
        _tell_json(findings)
        return
    for finding in findings:
        show(finding)


def _tell_json(findings: list[Finding], **more: str) -> None:
    told = {"worst": worst_of(findings).word, "findings": [one.as_object() for one in findings]}
    out.print_json(json.dumps(more | told))


def show(finding: Finding) -> None:
    """A sign, a word, and what it is about: colours say nothing that is not written, too."""
    level = finding.level
    line = Text(f"{level.symbol} {level.word:5}", style=_STYLES[level])
    line.append(f"{finding.check:{_NAMES_WIDTH}} ", style="default not bold not dim")
    line.append(printable(finding.message), style="default not bold not dim")
    out.print(line, soft_wrap=True)
    if finding.next:
        out.print(Text(f"{'':{_NAMES_WIDTH + 8}}→ {printable(finding.next)}"), soft_wrap=True)
