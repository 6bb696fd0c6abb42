"""What is worked on: a project, a cycle, an initiative, a log, and questions that are decided in the list."""

from collections.abc import Mapping

from tests.console.calling import Seeder

NAMED = "<img src=x onerror=document.title=7>"
"""As short as a name may be."""
HOSTILE = "<img src=x onerror=\"document.title='owned'\"> <script>document.title='owned'</script>"


def made(seeder: Seeder, issues: Mapping[str, str]) -> dict[str, str]:
    """A project, a label, a cycle that is half done, and an initiative."""
    statuses = {one["category"]: one["id"] for one in seeder.call("owner", "statuses.list")["data"]}
    initiative = seeder.call("owner", "initiatives.create", name="Nobody waits to sign in")
    project = seeder.call(*("owner", "projects.create"), key="WEB", name="Web", initiativeId=initiative["id"])
    label = seeder.call("owner", "labels.create", name="accessibility")
    cycle = seeder.call("owner", "cycles.create", name="November", lengthDays=14)
    seeder.call("owner", "cycles.update", id=cycle["id"], status="ACTIVE")
    titles = (
        "Sign in with a passkey",
        "Say why a sign-in failed",
        "Focus the first field",
        "Test on a phone",
    )
    made = [
        seeder.call("owner", "issues.create", title=title, projectId=project["id"], labelIds=[label["id"]])
        for title in titles
    ]
    ids = [one["identifier"] for one in made]
    seeder.call("owner", "cycles.plan", cycleId=cycle["id"], issueIds=[*ids, issues["login"]])
    seeder.call("owner", "issues.transition", id=ids[0], statusId=statuses["DONE"])
    seeder.call("owner", "issues.update", id=ids[1], dueDate="2099-01-31T12:00:00Z", priority="HIGH")
    _log(seeder, issues["login"])
    _named(seeder, issues["hostile"])
    return {"cycle": cycle["id"], "initiative": initiative["id"], "project": project["id"], "issue": ids[1]}


def _named(seeder: Seeder, issue: str) -> None:
    """Everything that has a name, by somebody who means ill."""
    initiative = seeder.call("owner", "initiatives.create", name=NAMED)
    project = seeder.call(*("owner", "projects.create"), key="ILL", name=NAMED, initiativeId=initiative["id"])
    label = seeder.call("owner", "labels.create", name=NAMED)
    cycle = seeder.call("owner", "cycles.create", name=NAMED, lengthDays=7)
    seeder.call("owner", "issues.update", id=issue, projectId=project["id"], cycleId=cycle["id"])
    seeder.call("owner", "issues.setLabels", issueId=issue, add=[label["id"]])
    seeder.call("worker", "artifacts.create", title=NAMED, body=HOSTILE, artifactType="REPORT", issueId=issue)
    seeder.call("owner", "agentCrews.create", name=NAMED)
    seeder.call("owner", "keys.create", "admin", name=NAMED, scopes=["READ_ISSUES"])
    seeder.call("owner", "members.add", "admin", email="ill@example.com", name=NAMED)
    link = {"externalUrl": "https://example.com/x", "linkTitle": NAMED}
    seeder.call("worker", "attachments.attachLink", targetType="issue", targetId=issue, **link)


def _log(seeder: Seeder, issue: str) -> None:
    run = seeder.call("worker", "runs.list", issueId=issue)["data"][0]
    text = f"$ make test\n12 passed\n{HOSTILE}\n"
    seeder.call("worker", "runs.appendLog", runId=run["id"], seq=0, chunk=text)


def asked(seeder: Seeder) -> dict[str, str]:
    """Those that are decided in the list; and what goes wrong by itself: a key that ends."""
    seeder.call("owner", "keys.create", "admin", name="nightly", scopes=["READ_ISSUES"], expiresInDays=2)
    titles = {
        "inline": "May I use tabs?",
        "one": "May I bump lint?",
        "two": "May I bump types?",
        "later": "Repaint?",
    }
    return {
        name: str(seeder.call("worker", "actionRequests.create", title=title)["id"])
        for name, title in titles.items()
    }
