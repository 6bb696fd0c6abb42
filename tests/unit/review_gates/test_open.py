"""Opening a gate by hand: a checkpoint, at which a plan or a step that is stopped waits."""

from tests.workshop.office import Office
from tests.workshop.plans import a_loop, a_step

OWNER = {"requestedBy": "@owner"}


def test_a_gate_is_opened_and_shown(office: Office) -> None:
    crew_id = office.call("agentCrews.create", {"name": "Importers"})["id"]
    asked = {"targetType": "release", "targetId": "1.0", "prompt": "Ship it?", "requiredRole": "REVIEWER"}

    made = office.call("reviewGates.open", {**asked, "crewId": "importers"})

    (shown,) = office.rows("reviewGates.list")
    assert shown == {**made, **OWNER}
    assert {name: made[name] for name in asked} == asked
    assert (made["crewId"], made["status"], made["resolution"]) == (crew_id, "PENDING", None)
    assert made["requestedById"] == office.owner_id
    assert [one["id"] for one in office.rows("reviewGates.list", {"status": "APPROVED"})] == []


def test_a_gate_for_a_plan_has_its_crew_and_issue(office: Office) -> None:
    loop = a_loop(office, with_issue=True)
    plan_id, _ = loop.plan(a_step())
    asked = {"targetType": "execution-plan", "targetId": plan_id, "prompt": "Is it complete?"}

    made = office.call("reviewGates.open", asked, key=office.an_agents_key(loop.planner))

    assert (made["crewId"], made["issueId"]) == (loop.crew_id, loop.issue_id)
    assert (made["planId"], made["goalId"]) == (plan_id, loop.goal_id)
    assert (made.get("requestedById"), made["requestedByAgentId"]) == (None, loop.planner)


def test_a_list_says_what_those_are_called_who_opened_a_gate(office: Office) -> None:
    person = office.a_colleague(handle="ada")
    asked = {"targetType": "release", "prompt": "Ship it?"}
    office.call("reviewGates.open", {**asked, "targetId": "1"}, key=person.key)
    agents = office.an_agents_key(office.an_agent("planner")["id"])
    office.call("reviewGates.open", {**asked, "targetId": "2"}, key=agents)
    office.call("members.remove", {"userId": person.id})
    ada = office.call("members.add", {"email": "ada@example.com", "handle": "ada"})["id"]

    shown = {row["targetId"]: row["requestedBy"] for row in office.rows("reviewGates.list")}

    assert ada != person.id
    assert shown == {"1": person.id, "2": "@planner"}


def test_what_a_gate_names_must_be_there(office: Office, other_office: Office) -> None:
    elsewhere, (step_id,) = a_loop(other_office).plan(a_step())
    gone = office.call("agentCrews.create", {"name": "Gone"})["id"]
    office.call("agentCrews.archive", {"id": gone})
    asked = {"targetType": "release", "targetId": "1.0", "prompt": "Ship it?"}

    def refused(**more: str) -> tuple[int, str, set[str]]:
        return office.refused("reviewGates.open", {**asked, **more})

    assert refused(targetType="execution-plan", targetId=elsewhere) == (400, "invalid_input", {"targetId"})
    assert refused(targetType="execution-step", targetId=step_id) == (400, "invalid_input", {"targetId"})
    foreign = other_office.call("issues.create", {"title": "Theirs"})
    for unknown in (foreign["id"], "iss_unknown", "DEMO-999", foreign["identifier"]):
        assert refused(targetType="issue", targetId=unknown) == (400, "invalid_input", {"targetId"})
    assert refused(requiredRole="REVIEWER") == (400, "invalid_input", {"requiredRole"})
    assert refused(crewId="Nobody") == (400, "invalid_input", {"crewId"})
    assert refused(crewId=gone) == (400, "invalid_input", {"crewId"})
    assert refused(prompt="  ") == (400, "invalid_input", {"prompt"})
    assert office.rows("reviewGates.list") == []


def test_a_gate_for_an_issue_belongs_to_it(office: Office) -> None:
    issue = office.call("issues.create", {"title": "Outside"})
    project_id = office.call("projects.create", {"name": "Inside", "key": "IN"})["id"]
    inside = office.call("issues.create", {"title": "Inside", "projectId": project_id})
    asked = {"targetType": "ISSUE", "prompt": "Ship it?"}
    narrowed = office.a_narrowed_key(project_ids=[project_id])

    hidden = office.call("reviewGates.open", {**asked, "targetId": issue["identifier"]})
    shown = office.call("reviewGates.open", {**asked, "targetId": inside["id"]}, key=narrowed)

    assert (hidden["targetType"], hidden["targetId"], hidden["issueId"]) == (
        "issue",
        issue["id"],
        issue["id"],
    )
    (listed,) = office.rows("reviewGates.list", key=narrowed)
    # Nobody is called anything whose key this is.
    assert listed == {**shown, "requestedBy": shown["requestedById"]}
    decided = {"decision": "APPROVED"}
    assert office.refused("reviewGates.resolve", {**decided, "id": hidden["id"]}, key=narrowed)[0] == 403
    assert office.call("reviewGates.resolve", {**decided, "id": shown["id"]}, key=narrowed) == {"ok": True}


def test_one_gate_is_found_by_its_id_by_whoever_may_see_it(office: Office, other_office: Office) -> None:
    asked = {"targetType": "release", "prompt": "Ship it?"}
    first, _ = (office.call("reviewGates.open", {**asked, "targetId": one}) for one in ("1.0", "1.1"))
    foreign = other_office.call("reviewGates.open", {**asked, "targetId": "2.0"})
    narrowed = office.a_narrowed_key(project_ids=["prj_1"])

    (listed,) = office.rows("reviewGates.list", {"id": first["id"]})
    assert listed == {**first, **OWNER}
    assert office.rows("reviewGates.list", {"id": first["id"], "status": "APPROVED"}) == []
    assert office.rows("reviewGates.list", {"id": foreign["id"]}) == []
    assert office.rows("reviewGates.list", {"id": first["id"]}, key=narrowed) == []
