"""Which issues a list shows, and in which order."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from forge.auth.actors import identity_of
from forge.auth.narrowing import allows_issue
from forge.context import Caller, Narrowing
from forge.contract.references import Kind
from forge.store.keys import by_age
from forge.work.issues.issues import Half, IssueItem
from forge.work.workspace.meanings import folded, get_only, status_meant, things_of
from forge.work.workspace.statuses import StatusCategory, StatusCopy
from functions.issues.models.reading import IssueOrder, ListIssues, OrderBy

Test = Callable[[IssueItem], bool]

PLACES: Mapping[OrderBy, Callable[[IssueItem], str]] = {
    OrderBy.PRIORITY: lambda issue: issue.urgency,
    OrderBy.CREATED_AT: lambda issue: by_age(issue.created_at, issue.id),
    OrderBy.UPDATED_AT: lambda issue: by_age(issue.updated_at, issue.id),
    OrderBy.IDENTIFIER: lambda issue: f"{issue.number:012}",
    # The beginning is enough to tell titles apart, and a cursor has to hold it.
    OrderBy.TITLE: lambda issue: f"{issue.title.casefold()[:80]}\0{issue.id}",
}
"""Where an issue stands in an order, as a text that sorts that way."""


def by_number(request: ListIssues) -> Callable[[IssueItem], int] | None:
    """How the rows of a page are ordered by their numbers, where that is asked for."""
    if request.order_by is not OrderBy.IDENTIFIER:
        return None
    sign = -1 if request.order is IssueOrder.DESC else 1
    return lambda issue: sign * issue.number


class States(NamedTuple):
    """Which statuses are wanted, by id or by category; None where all are."""

    status_ids: frozenset[str] | None
    categories: frozenset[StatusCategory]

    @property
    def halves(self) -> list[Half]:
        """Which have to be read."""
        live = self.categories - {StatusCategory.DONE}
        wanted = {Half.LIVE: live, Half.DONE: self.categories - live}
        return [half for half, categories in wanted.items() if categories]


def wanted_states(request: ListIssues, known: Sequence[StatusCopy]) -> States:
    """An explicit wish for statuses counts more than whether done ones are listed by default."""
    categories = frozenset(request.status_categories or ())
    if not categories:
        hides_done = request.include_done is False or (request.include_done is None and not request.query)
        # Those of the workspace, too: another build may know more of them.
        all_there_are = frozenset(StatusCategory) | {one.category for one in known}
        categories = all_there_are - ({StatusCategory.DONE} if hides_done else set())
    if request.status is None and request.status_id is None:
        return States(None, categories)
    named = [_named(request.status, known)] if request.status else []
    named += [{status_meant("statusId", request.status_id, known)}] if request.status_id else []
    ids = frozenset.intersection(*map(frozenset, named))
    found = frozenset(one.category for one in known if one.id in ids)
    return States(ids, found & frozenset(request.status_categories or found))


def _named(status: str, known: Sequence[StatusCopy]) -> set[str]:
    """A status by its id or name, or all of a category."""
    things, word = things_of(known), folded(status)
    named = {one.id for one in things if word in map(folded, one.names)}
    found = {one.id for one in things if folded(one.id) == word} or named
    return found or {get_only(Kind.STATUS, "status", status, things).id}


def accepts(
    request: ListIssues, caller: Caller, states: States, initiative_of: Mapping[str, str | None]
) -> Test:
    """Whether an issue is shown: each filter narrows, and the key's own narrowing comes with all of them."""
    tests = [*_of_head(request), *_of_people(request, caller), _of_states(states)]
    tests += [*_of_cycles(request), *_of_initiatives(request, initiative_of)]
    tests.append(lambda issue: issue.deleted_at is None and is_visible(issue, caller.narrowing))
    return lambda issue: all(test(issue) for test in tests)


def is_visible(issue: IssueItem, narrowing: Narrowing) -> bool:
    return allows_issue(narrowing, project_id=issue.project_id, label_ids=issue.label_ids, issue_id=issue.id)


def _of_states(states: States) -> Test:
    if states.status_ids is not None:
        wanted = states.status_ids
        return lambda issue: issue.status_id in wanted and issue.category in states.categories
    return lambda issue: issue.category in states.categories


def _of_head(request: ListIssues) -> Iterable[Test]:
    for one in (request.priority and [request.priority], request.priorities):
        if one:
            yield _is_in(one, lambda issue: issue.priority)
    for some in (request.project_id and [request.project_id], request.project_ids):
        if some:
            yield _is_in(some, lambda issue: issue.project_id)
    if request.label_ids:
        labels = frozenset(request.label_ids)
        yield lambda issue: not labels.isdisjoint(issue.label_ids)
    if request.queued is not None:
        yield lambda issue: issue.queued is request.queued


def _of_people(request: ListIssues, caller: Caller) -> Iterable[Test]:
    if request.assigned_agent_id:
        yield lambda issue: issue.assigned_agent_id == request.assigned_agent_id
    if request.assignee_id:
        yield lambda issue: request.assignee_id in issue.assignee_ids
    if request.unassigned is not None:
        yield lambda issue: (not issue.assignee_ids and not issue.assigned_agent_id) is request.unassigned
    if request.created_by_viewer:
        viewer_id = identity_of(caller)
        if caller.agent_id:
            yield lambda issue: issue.author_agent_id == viewer_id
        else:
            yield lambda issue: issue.author_id == viewer_id


def _of_cycles(request: ListIssues) -> Iterable[Test]:
    if request.cycle_id:
        yield lambda issue: issue.cycle_id == request.cycle_id
    cycles = frozenset(request.cycle_ids or ())
    if cycles or request.without_cycle:
        allows_none = bool(request.without_cycle)
        yield lambda issue: issue.cycle_id in cycles or (allows_none and issue.cycle_id is None)
    if request.without_cycle is False:
        yield lambda issue: issue.cycle_id is not None


def names_initiatives(request: ListIssues) -> bool:
    return (
        request.initiative_id is not None
        or bool(request.initiative_ids)
        or request.without_initiative is not None
    )


def _of_initiatives(request: ListIssues, initiative_of: Mapping[str, str | None]) -> Iterable[Test]:
    def initiative(issue: IssueItem) -> str | None:
        return initiative_of.get(issue.project_id) if issue.project_id else None

    if request.initiative_id:
        yield lambda issue: initiative(issue) == request.initiative_id
    wanted = frozenset(request.initiative_ids or ())
    if wanted or request.without_initiative:
        allows_none = bool(request.without_initiative)
        yield lambda issue: initiative(issue) in wanted or (allows_none and initiative(issue) is None)
    if request.without_initiative is False:
        yield lambda issue: initiative(issue) is not None


def _is_in(wanted: Collection[str], value: Callable[[IssueItem], str | None]) -> Test:
    known = frozenset(wanted)
    return lambda issue: value(issue) in known
