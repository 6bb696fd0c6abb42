"""The whole look at a deployment: one check after the other, each told as soon as it is known."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from forge.cli.calls import BadArguments
from forge.cli.doctor import executions, messages, surroundings, tables, workspaces
from forge.cli.doctor.deployments import Deployment
from forge.cli.doctor.findings import Finding, Level, of_refusal, worst_of
from forge.cli.doctor.workspaces import Known
from forge.errors import DomainError
from forge.store.answers import NoAnswer, Refused
from forge.store.botocore_calls import in_our_words

WORKSPACES = "workspaces"
Look = Callable[[], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class Checkup:
    deployment: Deployment
    version: str
    """Of this command."""
    now: datetime
    skew: timedelta = timedelta()
    """How much this machine's clock is off, for who tries that."""
    named: tuple[str, ...] = ()
    """The workspaces that were named."""

    def findings(self, on_check: Callable[[str], object] = lambda check: None) -> Iterator[Finding]:
        """All of them; whoever listens is told what is looked at next. Without its table there is no more."""
        for check, look in self._of_deployment():
            on_check(check)
            found = looked(check, look)
            yield from found
            if check == tables.TABLE and worst_of(found) is Level.FAIL:
                return
        on_check(WORKSPACES)
        known: list[Known] = []
        yield from looked(WORKSPACES, lambda: self._workspaces(known))
        for check, look in self._of_workspaces(known[0]) if known else ():
            on_check(check)
            yield from looked(check, look)

    def count(self) -> int:
        return len(list(self._of_deployment())) + 1 + len(list(self._of_workspaces(Known({}, False))))

    def _of_deployment(self) -> Iterator[tuple[str, Look]]:
        one = self.deployment
        yield tables.TABLE, partial(tables.examine_table, one)
        yield surroundings.CLOCK, partial(surroundings.examine_clock, one, self.skew)
        yield tables.INDEX, partial(tables.examine_indexes, one)
        yield tables.STREAM, partial(tables.examine_stream, one)
        yield tables.BACKUP, partial(tables.examine_backups, one)
        yield tables.EXPIRY, partial(tables.examine_expiry, one)
        yield surroundings.BUCKET, partial(surroundings.examine_bucket, one)
        yield messages.QUEUES, partial(messages.examine_queues, one)
        yield messages.AGE, partial(messages.examine_ages, one)
        yield messages.DEAD, partial(messages.examine_dead_letters, one)
        yield messages.FED, partial(messages.examine_consumers, one)
        yield surroundings.SECRET, partial(surroundings.examine_secret, one)
        yield surroundings.VERSIONS, partial(surroundings.examine_versions, one, self.version)
        yield workspaces.LATE, partial(workspaces.examine_sweep, one, self.now)
        yield executions.EXECUTIONS, partial(executions.examine_executions, one, self.now)

    def _of_workspaces(self, known: Known) -> Iterator[tuple[str, Look]]:
        one = self.deployment
        yield workspaces.KEYS, partial(workspaces.examine_keys, one, known, self.now)
        yield workspaces.RECEIVERS, partial(workspaces.examine_receivers, one, known, self.now)
        yield workspaces.GIVEN_UP, partial(workspaces.examine_given_up, one, known)

    def _workspaces(self, found: list[Known]) -> Iterator[Finding]:
        known = workspaces.workspaces_in(self.deployment, self.named)
        found.append(known)
        if not known.slugs:
            yield Finding(
                WORKSPACES, Level.WARN, "There is none.", "`forge bootstrap` makes the first one, once."
            )
            return
        names = ", ".join(sorted(known.slugs.values()))
        more = "There may be others: name them with --workspace." if known.is_a_sample else ""
        yield Finding(WORKSPACES, Level.OK, f"Looked at: {names}.", more)


def looked(check: str, look: Look) -> list[Finding]:
    """What a check finds, or why it could not look. Nothing that AWS says ends the others."""
    try:
        return in_our_words(lambda: list(look()))()
    except Refused as refusal:
        return [of_refusal(check, refusal)]
    except NoAnswer as problem:
        return [_unreachable(check, str(problem))]
    except DomainError as error:
        if isinstance(error.__cause__, Refused):
            return [of_refusal(check, error.__cause__)]
        return [_unreachable(check, str(error.__cause__ or error))]
    except BadArguments:
        raise
    except Exception as surprise:  # noqa: BLE001 - it is told, and the other checks go on
        return [_broken(check, surprise)]


def _broken(check: str, surprise: Exception) -> Finding:
    return Finding(
        check,
        Level.FAIL,
        f"Not looked at, because of {type(surprise).__name__}: {surprise}",
        "A newer build may have written what this command can't read: bring it to that version. Else it is "
        "a mistake of ours; please report it.",
    )


def _unreachable(check: str, why: str) -> Finding:
    return Finding(
        check,
        Level.FAIL,
        f"AWS could not be asked: {why}",
        "On one machine, start `forge dev`. Else look at the region, the credentials (`aws sts "
        "get-caller-identity`) and the network.",
    )
