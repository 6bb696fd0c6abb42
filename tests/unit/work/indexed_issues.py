"""Issues as the index sees them, changed the way tools change them, and what became of their words."""

from collections.abc import Iterator
from typing import Any

from forge.contract.effects import Emission, Told
from forge.store.physical import PARTITION, SORT
from forge.store.readings import Attributes
from forge.store.store import Store
from forge.store.transactions import Transaction
from forge.testing.builders import an_issue
from forge.work.issues import heads
from forge.work.issues.announcements import ISSUE_CREATED, ISSUE_EDITED, IssueCreated, IssueEdited
from forge.work.issues.issues import BodyItem, IssueItem
from forge.work.record.log.events import record
from forge.work.record.log.rows import LogItem
from forge.work.record.search import search
from forge.work.record.search.search import TERM, IssueText, TermsItem
from forge.work.record.search.words import places_of, query_of
from forge.work.record.texts import KeptText
from forge.work.workspace.statuses import StatusCategory
from tests.unit.store.things import WORKSPACE, a_caller, begin

Places = dict[str, set[str]]

_TERMS = "#TERM#"


class Change:
    """A change of an issue in one transaction with its log row, as tools make them."""

    def __init__(self, store: Store, workspace_id: str) -> None:
        self.store = store
        self.tx: Transaction = begin(store, caller=a_caller(workspace_id=workspace_id))

    def commit(self, emission: Emission, told: Told, issue: IssueItem, **items: Any) -> LogItem:
        row = record(
            self.tx,
            emission,
            told,
            subject_id=issue.id,
            action="change",
            issue_id=issue.id,
            # The transaction's own token, because events of one moment need different ids.
            event_id=f"evt_{self.tx.token}",
            **items,
        )
        self.store.commit(self.tx)
        return row


def add_issue(
    store: Store,
    title: str,
    description: str | None = None,
    *,
    issue_id: str = "iss_1",
    workspace_id: str = WORKSPACE,
    category: StatusCategory = StatusCategory.TODO,
) -> LogItem:
    """A new issue, of which the worker has not heard yet; its log row."""
    number = int(issue_id.rpartition("_")[2])
    issue = an_issue(workspace_id=workspace_id, id=issue_id, number=number, title=title, category=category)
    kept = KeptText(text=description) if description is not None else None
    change = Change(store, workspace_id)
    heads.add(change.tx, issue, BodyItem(workspace_id=workspace_id, issue_id=issue_id, description=kept))
    search.index_title(change.tx, workspace_id, issue_id, old_title=None, new_title=title)
    return change.commit(ISSUE_CREATED, IssueCreated(number=issue.number, title=title), issue, after=issue)


def retitle(store: Store, title: str, *, issue_id: str = "iss_1", workspace_id: str = WORKSPACE) -> LogItem:
    before = head_of(store, issue_id, workspace_id)
    after = before.changed(title=title)
    change = Change(store, workspace_id)
    heads.replace(change.tx, before, after)
    search.index_title(change.tx, workspace_id, issue_id, old_title=before.title, new_title=title)
    return change.commit(ISSUE_EDITED, IssueEdited(title=title), after, before=before, after=after)


def describe(store: Store, text: str, *, issue_id: str = "iss_1", workspace_id: str = WORKSPACE) -> LogItem:
    issue, body = head_of(store, issue_id, workspace_id), body_of(store, issue_id, workspace_id)
    change = Change(store, workspace_id)
    change.tx.replace(body.changed(description=KeptText(text=text)))
    return change.commit(ISSUE_EDITED, IssueEdited(description=text), issue)


def settle(
    store: Store, *old_titles: str, issue_id: str = "iss_1", workspace_id: str = WORKSPACE
) -> IssueText:
    """What the worker does, once; the text that it saw."""
    head, body = head_of(store, issue_id, workspace_id), body_of(store, issue_id, workspace_id)
    description = body.description.text if body.description else ""
    text = IssueText(workspace_id, issue_id, head.title, description)
    search.settle(store.table, text, old_titles=old_titles)
    return text


def found(store: Store, query: str, *, workspace_id: str = WORKSPACE) -> list[str]:
    """The issues of a query whose answer must be complete."""
    asked = query_of(query)
    matches = search.find(store.table, workspace_id, asked)
    assert matches.is_complete
    heads = store.table.read(IssueItem.at(workspace_id, one) for one in matches.issue_ids)
    known = {one: heads.find(IssueItem, IssueItem.at(workspace_id, one)) for one in matches.issue_ids}
    titles = {one: head.title if head else "" for one, head in known.items()}
    confirmed = search.confirmed(store.table, workspace_id, asked, titles)
    return [one for one in matches.issue_ids if one in confirmed]


def rows_of(store: Store, issue_id: str = "iss_1", *, workspace_id: str = WORKSPACE) -> Places:
    """Every word that the issue has a row for, with its places."""
    found: Places = {}
    for row in _every_row(store):
        partition, sort = str(row[PARTITION]["S"]), str(row[SORT]["S"])
        beginning, is_term, term = partition.partition(_TERMS)
        if is_term and beginning == f"WS#{workspace_id}" and sort == issue_id:
            found[term] = set(row["places"]["SS"])
    return found


def _every_row(store: Store) -> Iterator[Attributes]:
    request: dict[str, Any] = {"TableName": store.table.name, "ConsistentRead": True}
    while True:
        answer = store.table.client.ask("Scan", request)
        yield from answer["Items"]
        if "LastEvaluatedKey" not in answer:
            return
        request["ExclusiveStartKey"] = answer["LastEvaluatedKey"]


def listed(store: Store, issue_id: str = "iss_1") -> Places:
    """What the index believes that the issue has rows for."""
    item = store.table.find(TermsItem, TermsItem.at(WORKSPACE, issue_id))
    return {term: set(places) for term, places in item.terms.items()} if item else {}


def assert_settled(store: Store, title: str, description: str = "", *, issue_id: str = "iss_1") -> None:
    """Found by exactly what it says."""
    wanted = {term: set(places) for term, places in places_of(title, description).items()}
    assert rows_of(store, issue_id) == wanted
    assert listed(store, issue_id) == wanted


def head_of(store: Store, issue_id: str = "iss_1", workspace_id: str = WORKSPACE) -> IssueItem:
    found = store.table.find(IssueItem, IssueItem.at(workspace_id, issue_id))
    assert found is not None
    return found


def body_of(store: Store, issue_id: str = "iss_1", workspace_id: str = WORKSPACE) -> BodyItem:
    found = store.table.find(BodyItem, BodyItem.at(workspace_id, issue_id))
    assert found is not None
    return found


def many_words(letter: str, number: int = 200) -> str:
    return " ".join(f"{letter}{place}" for place in range(number))


def put_terms(
    store: Store, term: str, numbers: range, *, place: str = "title", workspace_id: str = WORKSPACE
) -> None:
    """Rows of a word in so many issues, which need not exist."""
    for start in range(0, len(numbers), 80):
        tx = begin(store)
        for number in numbers[start : start + 80]:
            key = TERM(workspace_id, term, f"iss_{number:05}")
            tx.merge(key, add={"places": frozenset({place})})
        store.commit(tx)


def ids(numbers: range) -> list[str]:
    """Of these issues, newest first."""
    return [f"iss_{number:05}" for number in reversed(numbers)]
