"""Which issues really come into a cycle or leave it, and how many fit into one transaction."""

from collections.abc import Iterable, Sequence

from forge.errors import InvalidInput
from forge.work.issues.issues import IssueItem

CHUNK = 20


def require_some(coming: Sequence[str], going: Sequence[str], *, most: int) -> None:
    if not coming and not going:
        raise InvalidInput("No issue is named.", issues={"issueIds": "Name some, or use removeIssueIds."})
    if len(coming) + len(going) > most:
        raise InvalidInput(
            "These are too many issues for one call.", issues={"issueIds": f"At most {most} in all."}
        )


def require_in(cycle_id: str | None, meant: str | None) -> None:
    """Which cycle an issue is taken out of is said for safety: it does not leave another by mistake."""
    if meant and cycle_id and cycle_id != meant:
        raise InvalidInput(
            "This issue is in another cycle.",
            issues={"cycleId": "Not the issue's. Leave it out to take the issue out of whichever it is in."},
        )


def moves(coming: Iterable[IssueItem], going: Iterable[IssueItem], cycle_id: str) -> dict[str, str | None]:
    """Into which cycle each issue really moves; what is out of this one already stays where it is."""
    wanted: dict[str, IssueItem] = {one.id: one for one in coming}
    unwanted: dict[str, IssueItem] = {one.id: one for one in going}
    if wanted.keys() & unwanted.keys():
        raise InvalidInput(
            "An issue can't come and go at once.",
            issues={"removeIssueIds": "Some of these are among issueIds as well."},
        )
    into: dict[str, str | None] = {one.id: cycle_id for one in wanted.values() if one.cycle_id != cycle_id}
    return into | {one.id: None for one in unwanted.values() if one.cycle_id == cycle_id}


def chunks(issues: Sequence[IssueItem]) -> list[Sequence[IssueItem]]:
    """As many as fit into a transaction, whatever changes along with each."""
    return [issues[start : start + CHUNK] for start in range(0, len(issues), CHUNK)]
