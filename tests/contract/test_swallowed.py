"""No exception ends where nobody hears of it: it is raised on, told, or one of a few that say it all."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.contract.sources import ROOT, product_files
from tests.contract.untold import OF_SIGNING_IN, OF_THE_WORKER

TELLING = (
    "logger",
    "journal",
    "print",
    "tell",
    ".say",
    "_refuse",
    "on_failure",
    "record",
    "tool_failure",
    "error_response",
    "show_error",
)
"""What a handler calls, or is told by, that makes it heard: a line, an answer, or who is told of failures."""

UNTOLD = {
    # What is asked of a text or a place, and answered by failing: the answer is the value that is returned.
    "jsontext.py: StopIteration": "the slower reader says what is wrong",
    "arguments.py: BadJson": "a text that is no JSON stays a text",
    "items.py: ValidationError": "read again with what only another build knows, which raises",
    "tools.py: BadJson": "a value that is no JSON is a text",
    "needs_you.py: KeyboardInterrupt": "who watches has seen enough",
    "terminal.py: KeyboardInterrupt": "who stops it is told how it goes on",
    "terminal.py: ValueError": "an answer that is no JSON is told as the text that it is",
    "agents.py: ValueError": "an agent that prints no events prints its text",
    "agents.py: (ProcessLookupError, subprocess.TimeoutExpired)": "a child that does not end is killed",
    "blocks.py: UnicodeDecodeError": "a text in another encoding is sent as the bytes that it is",
    "offering.py: (Forbidden, InvalidInput)": "who may not list words is offered none",
    "commands.py: (Taken, NotStarted)": "told by whoever wanted to open it",
    "files.py: NotFound": "a text that is lost is not made up: its line names its object",
    "wanted.py: Unavailable": "waited for, so many times, and then raised",
    "calls.py: (OSError, ValueError, KeyError, TypeError)": "no forge dev has described itself",
    "dev.py: (OSError, ValueError)": "a file that is missing or damaged is made anew",
    "listening.py: OSError": "the port is taken, which is told by whoever asked",
    "dev.py: KeyboardInterrupt": "the way in which a program is stopped",
    "dev_clock.py: (OSError, ValueError)": "a clock that was never moved",
    "dev_clock.py: BadJson": "refused a few lines below",
    "call_log.py: OSError": "a line for which there is no room is dropped, and the answer is not",
    "destinations.py: Disallowed": "a host that can't be named any more opens nothing",
    "homes.py: BlockingIOError": "somebody else holds the folder; waited for until a deadline raises",
    "emulator.py: (URLError, OSError)": "not ready yet; waited for until a deadline raises",
    "emulator.py: subprocess.TimeoutExpired": "a child that does not stop is killed",
    "seed.py: (SeedFailed, KeyError, TypeError, AttributeError)": "not current, so it is made anew",
    "homes.py: (ValueError, KeyError, TypeError)": "whoever holds the folder is not named",
    "supervisor.py: Empty": "becomes the problem that is told below",
    "supervisor.py: OSError": "becomes the problem that is told below",
    "documents.py: (KeyError, TypeError, ValueError)": "what has no time to expire does not",
    "engine.py: NotKept": "told where it was not kept, and answered",
    "admission.py: ValueError": "a time that is none is over",
    "zones.py: (ZoneInfoNotFoundError, ValueError, OSError)": "whose zone nobody knows lives by UTC",
    "queues.py: ValueError": "a request that names no queue touches none",
    "tables.py: ValueError": "a request that can't be read touches nothing",
    "journal.py: OSError": "the file at hand does as well; or raised",
    "starting.py: arguments.Unusable": "what was typed and begins nothing is answered with why",
    "starting.py: Unusable": "a URL of no known tracker is a text's own",
    "holding.py: ValueError": "a session's name that is no UUID is given the form of one",
    "intake.py: VersionMoved": "decided again, and told once that did not help",
    "intake.py: TakenBefore": "the message has had its effect, and the answer says that it had none now",
    "native.py: NotFound": "an issue that is gone is none, which whoever asked for it tells",
    "opening.py: NotFound": "a request whose issue was archived can still be declined",
    "many_mentioned.py: NotFound": "the comment or its issue is gone, so nobody is to be called",
    "neglected_issues.py: NotFound": "the issue is gone, so nobody neglects it",
    "waiting_issues.py: NotFound": "the issue is gone, so it waits for nobody",
    "waiting_issues.py: VersionMoved": "decided again, so many times, and then left for the next look",
    "silent_runs.py: NotFound": "the issue is gone, so nobody waits for the run",
    "counted_days.py: ValidationError": "a row that nobody can read tells no figure",
    "continuations.py: VersionMoved": "decided again, so many times",
    "continuations.py: NotFound": "gone meanwhile, so there is nothing to settle",
    "continuations.py: (Conflict, Unavailable)": "counted as left, and settled by the next walk",
    "telling.py: VersionMoved": "decided again, so many times",
    "rolled_over.py: (VersionMoved, NotFound)": "done again, each by itself",
    "rolled_over.py: NotFound": "gone meanwhile, so there is nothing to move",
    "hosts.py: ValueError": "no host, so it is refused",
    "addresses.py: ValueError": "a name, and no address",
    "exchanges.py: (OSError, UnicodeError)": "handed over to who waits for it, and raised there",
    "exchanges.py: OSError": "the next address is tried, and the last failure raised",
    "repository.py: (Disallowed, Unreachable)": "a page that can't be had is called by its host",
    "modern.py: ValueError": "no number, so it is refused",
    "switchboard.py: BadJson": "an answer that is no object has no structure",
    "aws_lambda.py: ValueError": "becomes a body that is refused",
    "web.py: ClientDisconnect": "nobody is left to be answered",
    "signed_requests.py: (ValueError, TypeError)": "a date that is none teaches nothing about the clock",
    "http_replies.py: ValueError": "refused in the next line",
    "channel.py: OSError": "no answer, which is raised a line below",
    "channel.py: _Dropped": "a kept connection had been closed; a new one is opened",
    "channel.py: IndexError": "no kept connection",
    "http_pool.py: Dropped": "a kept connection had been closed; a new one is opened",
    "http_pool.py: IndexError": "no kept connection",
    "dynamodb.py: ValueError": "no content, which the caller takes for no answer",
    "provision.py: client.exceptions.ResourceInUseException": "the table is there already",
    "calls.py: Disallowed": "no place that may be asked, so the page after is refused",
    "calls.py: Unreachable": "asked again where that helps, and raised in the end",
    "client.py: NotThere": "there is none, which is the answer",
    "twins.py: (NotFound, Forbidden)": "an issue that the caller does not see or change is left as it is",
    "github.py: NotThere": "there is none, which is the answer",
    "credentials.py: (jwt.PyJWTError, ValueError, TypeError)": "refused in the next line, without the key",
    "credentials.py: jsontext.BadJson": "no object, so it is refused",
    "retrying.py: ValueError": "no date, so nothing is known of when to try again",
    "errand_runner.py: VersionMoved": "whoever else runs them ends them; what is left is looked at",
    "errand_runner.py: GitHubFailure": "kept on the errand, and tried again; or told in the audit",
    # The doctor: what AWS says instead of facts is a finding, or says that something is not there.
    "checkup.py: Refused": "becomes a finding, which is told",
    "checkup.py: NoAnswer": "becomes a finding, which is told",
    "checkup.py: DomainError": "becomes a finding, which is told",
    "checkup.py: Exception": "becomes a finding, which is told",
    "deployments.py: client.exceptions.ClientError": "the table alone is looked at, and that is told",
    "workspaces.py: Refused": "workspaces with something due are seen all the same",
    "executions.py: client.exceptions.ExecutionDoesNotExist": "there is none, which is the answer",
    "surroundings.py: (httpx.HTTPError, ValueError, KeyError, TypeError)": "nobody answers, which is told",
    "probes.py: Refused": "whether it answers is what was asked",
    "probes.py: NoAnswer": "whether it answers is what was asked",
    # What the store itself says, and the next step decides on.
    "authentication.py: ConditionFailed": "the key as it is says why",
    "ceilings.py: ConditionFailed": "what is left of the minute as it is",
    "counters.py: ConditionFailed": "the number that the same call has taken",
    "failures.py: (Refused, NoAnswer, Undecided)": "repeated until a deadline raises",
    "botocore_calls.py: Refused": "told on as the answer that it is",
    "execution.py: Replayed": "the answer that was asked for",
    "execution.py: VersionMoved": "decided again, so many times",
    "saving.py: VersionMoved": "told the caller, issue by issue",
    "delivering.py: Disallowed": "kept on the delivery, and told as a try that failed",
    "delivering.py: Unreachable": "kept on the delivery, and told as a try that failed",
    "fanning.py: _AlreadyThere": "the same message came before",
    "executing.py: DomainError": "tried again where that helps, and told in the words of the gateway",
    "repository.py: VersionMoved": "somebody else goes on with the rollover, and so does this call",
    "tasking.py: DomainError": "it is the answer that is kept",
    "tasking.py: VersionMoved": "another worker carries the task out",
    "ecosystems.py: ValueError": "a file that can't be read says nothing of the repository",
    "identity.py: FileNotFoundError": "a checkout is no build, and says so",
    "carrying_out.py: VersionMoved": "another worker erases, or it was undone",
    "of_people.py: VersionMoved": "an agent said something meanwhile: that is erased next",
    "users.py: VersionMoved": "they joined a workspace meanwhile: looked for again",
    "export_files.py: VersionMoved": "another worker writes the export",
    "export_files.py: NotFound": "a text that is gone is left out, as everywhere",
    "pipelines.py: KeyboardInterrupt": "whoever watches has seen enough",
    "pipelines.py: BadArguments": "asked again later: what is away for a moment ends no watching",
    "transactions.py: VersionMoved": "decided again, so many times; and then told",
    "outbox.py: VersionMoved": "the row is gone",
    "waking.py: VersionMoved": "who has something by now, or was withdrawn, need not be called",
    "sweep.py: VersionMoved": "counted: whoever was first has settled it, or said when it is due",
    # Kept, and raised with the first event.
    "starting.py: Exception": "kept, and raised under the one net",
    # Put off together with its reason, which is told there.
    "sweep.py: Exception": "put off, counted and told",
    "consuming.py: Exception": "each of them is tried by itself, and then told",
    "outbox.py: Exception": "each of them is tried by itself, and then told",
    "relaying.py: ValueError": "what can't be read is tried by itself, and then told",
    # A task that goes on, or is told how its call went.
    "tasks.py: Late": "asked for again, as it is told to be",
    "task_ends.py: Late": "it sleeps on, and tries again with the next question",
    "task_ends.py: DomainError": "becomes the result of the task",
    # Answers on the wire, written to the journal with their outcome.
    "edge.py: DomainError": "the answer, with its outcome in the journal",
    "aws_lambda.py: DomainError": "logged where it was opened, and answered",
    "rpc.py: ProtocolError": "the answer, with its outcome in the journal",
    "rpc.py: DomainError": "the answer of one call in a batch",
    "tokens.py: jwt.InvalidTokenError": "the next secret is tried, and then it is told",
    "logs.py: NotFound": "what a log has lost is shown as nothing",
    **OF_SIGNING_IN,
    **OF_THE_WORKER,
}


def handlers() -> Iterator[tuple[str, ast.ExceptHandler]]:
    for file in product_files(outside=Path()):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ExceptHandler):
                yield f"{file.name}: {ast.unparse(node.type) if node.type else 'everything'}", node


def is_heard(handler: ast.ExceptHandler) -> bool:
    for node in ast.walk(handler):
        if isinstance(node, ast.Raise):
            return True
        if isinstance(node, ast.Call) and any(word in ast.unparse(node.func) for word in TELLING):
            return True
    return False


def test_every_exception_is_raised_on_told_or_known_to_need_neither() -> None:
    silent = {name for name, handler in handlers() if not is_heard(handler)}

    assert silent - UNTOLD.keys() == set(), "tell it, raise it, or say here why neither is needed"


def test_the_list_has_nothing_that_is_gone() -> None:
    silent = {name for name, handler in handlers() if not is_heard(handler)}

    assert UNTOLD.keys() - silent == set()


def test_a_handler_that_only_goes_on_is_found() -> None:
    (quiet,) = (
        node
        for node in ast.walk(ast.parse("try:\n    work()\nexcept ValueError:\n    pass"))
        if isinstance(node, ast.ExceptHandler)
    )

    assert not is_heard(quiet)


# A ticket or a number that can't be given back does no harm; a label that somebody else made is as good;
# a bucket is there already; a file is gone or the failure before it is raised; a child that ended reads
# nothing more; an object that stays, a message that was not sent and a plan that was not looked at are
# left to the sweep; a page that is no markup has the title that was found so far; what is no JSON is no
# answer of GitHub's; a row about a call that can't be written leaves its answer as it is; a machine
# without git makes builds that name no commit; a message that can't be read is told when it is acted on;
# a mark that stays is sent again, and what it tells is taken once; what can't be withdrawn goes on, which
# is told to whoever asks for it; work that a worker is refused stays in its inbox or in the queue.
SUPPRESSING = [
    "functions/admin/tools/exports.py",
    "functions/admin/tools/webhooks.py",
    "functions/attachments/repository.py",
    "functions/gateway/repository.py",
    "shared/forge/cli/builds.py",
    "shared/forge/cli/local/journal.py",
    "shared/forge/cli/local/supervisor.py",
    "shared/forge/cli/worker/loop/finding.py",
    "shared/forge/cli/worker/processes/children.py",
    "shared/forge/cli/worker/processes/leftovers.py",
    "shared/forge/cli/worker/processes/sandbox.py",
    "shared/forge/cli/worker/runs/carrying_out.py",
    "shared/forge/github/calls.py",
    "shared/forge/outbound/titles.py",
    "shared/forge/store/provision.py",
    "shared/forge/wire/switchboard.py",
    "shared/forge/wire/task_ends.py",
    "shared/forge/work/background/deliveries/consuming.py",
    "shared/forge/work/background/sweep/outbox.py",
    "shared/forge/work/background/watchdogs/counted_days.py",
    "shared/forge/work/backlog/known_labels.py",
    "shared/forge/work/issues/auto_dispatch/lines.py",
    "shared/forge/work/issues/edits/beginnings.py",
    "shared/forge/work/plans/charges.py",
]


def test_nothing_is_suppressed_without_a_word() -> None:
    """`suppress` is an `except` that does nothing."""
    found = [
        file.relative_to(ROOT).as_posix()
        for file in product_files(outside=Path())
        if any(
            isinstance(node, ast.Call) and ast.unparse(node.func).endswith("suppress")
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        )
    ]

    assert found == SUPPRESSING
