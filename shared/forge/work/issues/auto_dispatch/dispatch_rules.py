"""Dispatch rules: which agent gets what, before the workspace's mode is asked."""

from datetime import datetime

from forge.errors import NotFound, PreconditionFailed
from forge.store.items import Item
from forge.store.ranges import SortRange
from forge.store.table import Table
from forge.work.issues.issues import IssueItem, Priority
from forge.work.workspace.people.agents import AGENTS, RULE

MAX_RULES = 100
_SOME_MORE = 50
"""Two who add the last one at once both succeed."""


class DispatchRuleItem(Item):
    """Stored beside the agents, because auto-dispatch reads both."""

    stored = RULE

    workspace_id: str
    id: str
    name: str
    enabled: bool = True
    order: int
    priority: Priority | None = None
    label_id: str | None = None
    project_id: str | None = None
    target_agent_id: str
    created_at: datetime

    @property
    def place(self) -> tuple[int, datetime, str]:
        """Rules are tried in this order."""
        return self.order, self.created_at, self.id

    def matches(self, issue: IssueItem) -> bool:
        """Whatever it names has to be so; a rule that names nothing is for every issue."""
        return (
            self.enabled
            and self.priority in (None, issue.priority)
            and self.project_id in (None, issue.project_id)
            and (self.label_id is None or self.label_id in issue.label_ids)
        )


def list_all(table: Table, workspace_id: str) -> list[DispatchRuleItem]:
    """Every rule, in the order in which they are tried; one request."""
    among = SortRange(prefix=RULE.prefix())
    rows = table.query_all(AGENTS(workspace_id), most=MAX_RULES + _SOME_MORE, sort=among)
    return sorted(rows.of(DispatchRuleItem), key=lambda rule: rule.place)


def require_room(number_of_rules: int) -> None:
    if number_of_rules >= MAX_RULES:
        raise PreconditionFailed(
            f"A workspace has at most {MAX_RULES} dispatch rules.", hint="Delete one that is not used."
        )


def no_such_rule(rule_id: str) -> NotFound:
    return NotFound(f"There is no dispatch rule {rule_id[:60]!r}.", hint="dispatchRules.list shows them.")
