"""Writing down when the sweep looks at something again, and nothing else.

Neither the version moves nor anything that is shown, so nobody who changes the thing meanwhile is disturbed;
and whoever did makes this be refused.
"""

from datetime import datetime

from forge.store.places import due_attributes
from forge.store.transactions import Transaction
from forge.work.issues.issues import IssueItem
from forge.work.issues.runs.runs import RunItem


def watch_issue(tx: Transaction, issue: IssueItem, moment: datetime | None) -> None:
    tx.adjust(
        issue.key,
        assign={"watch_at": moment, **due_attributes(issue.key, moment)},
        equal={"version": issue.version},
    )


def watch_run(tx: Transaction, run: RunItem) -> None:
    """Have the sweep look at a run when its `watch_at` and `ack_due_at` say."""
    tx.adjust(
        run.key,
        assign={
            "watch_at": run.watch_at,
            "ack_due_at": run.ack_due_at,
            **due_attributes(run.key, run.due_at),
        },
        equal={"version": run.version},
    )
