"""What pipelines may have left, for tests of what agents are told."""

from forge.testing.clock import NOON
from forge.work.pipelines.learning.friction import FrictionPoint
from forge.work.pipelines.learning.packs import Ended
from forge.work.pipelines.learning.patterns import FindingSeverity, Pattern
from forge.work.pipelines.learning.similar import Similar
from forge.work.pipelines.prompts.profiles import Language, Profile
from forge.work.pipelines.prompts.prompts import Knowledge, Spawn, TaskBrief


def a_similar(
    spec_name: str = "fix-login",
    score: float = 4.25,
    *,
    line: str = "Fix the login",
    outcome: str = "completed",
) -> Similar:
    ended = Ended(f"pipe_{spec_name}", spec_name, "M", "standard", outcome, 1000, 60_000, NOON, line)
    return Similar(ended, score)


def a_pattern(
    text: str, severity: FindingSeverity = FindingSeverity.CRITICAL, *, frequency: int = 1
) -> Pattern:
    return Pattern(
        pattern=text,
        severity=severity,
        frequency=frequency,
        agent="design-reviewer",
        category="other",
        first_seen=NOON,
        last_seen=NOON,
    )


def a_point(text: str, *, mitigation: str = "", frequency: int = 1) -> FrictionPoint:
    return FrictionPoint(
        category="documentation", description=text, frequency=frequency, mitigation=mitigation, last_seen=NOON
    )


A_PROFILE = Profile(
    languages=[Language(name="Python", percentage=82), Language(name="Shell", percentage=15)],
    test_framework="pytest",
    ci_system="GitHub Actions",
    linter_configs=["ruff", "mypy"],
    build_command="make build",
    test_command="make test",
    branch_naming="feature/{name}",
)

EVERYTHING = Knowledge(
    profile=A_PROFILE,
    similar=[a_similar(), a_similar("drop-login", 1.5, line="Drop the old login", outcome="abandoned")],
    patterns=[
        a_pattern("Names differ between layers", FindingSeverity.MINOR, frequency=9),
        a_pattern("Session expiry has no migration", frequency=1),
        a_pattern("Purging has no bound", frequency=2),
    ],
    friction=[
        a_point("Ports are documented nowhere"),
        a_point("The README is old", mitigation="Read docs/ first.", frequency=3),
    ],
)


def a_spawn(
    agent: str,
    *inputs: str,
    output: str,
    task: TaskBrief | None = None,
    findings: tuple[str, ...] = (),
) -> Spawn:
    return Spawn(
        agent=agent,
        workspace=".specs/20261117-session-expiry",
        branch="feature/session-expiry",
        spec_name="session-expiry",
        input_files=inputs,
        output_file=output,
        task=task,
        current_findings=findings,
    )
