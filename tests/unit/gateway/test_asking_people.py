"""A planned run of the gateway asks people at a review gate, where everything else that waits for them is."""

from tests.unit.gateway.test_executing import error_of, executed
from tests.unit.gateway.test_gates import RUN, analyse, change, gates
from tests.workshop.office import Body, Office


def waiting(office: Office) -> list[Body]:
    return office.rows("reviewGates.list", {"status": "PENDING"})


def decide(office: Office, decision: str, **how: str) -> None:
    (gate,) = waiting(office)
    order = {"id": gate["id"], "decision": decision, "resolution": "I looked."}
    office.call("reviewGates.resolve", order, key=how.get("key") or office.a_colleague().key)


def test_people_see_that_a_plan_waits_and_their_yes_lets_the_change_through(office: Office) -> None:
    analyse(office, planned=True)
    analyse(office)

    (gate,) = waiting(office)
    decide(office, "APPROVED")

    assert (gate["targetType"], gate["workflow"], gate["runId"]) == ("gateway-run", *RUN.values())
    assert gate["requestedById"] == office.owner_id
    assert gates(office) == ["analysis-done", "plan-approved"]
    assert waiting(office) == []
    assert executed(office, change())["ok"] is True


def test_they_are_asked_about_the_change_as_well_and_a_yes_ends_the_run(office: Office) -> None:
    analyse(office, planned=True)
    decide(office, "APPROVED")
    executed(office, change())
    executed(office, change())

    decide(office, "APPROVED")

    assert gates(office) == ["audit-passed"]
    assert waiting(office) == []


def test_a_rejected_plan_is_analysed_anew_and_whoever_tries_is_told_why(office: Office) -> None:
    analyse(office, planned=True)
    decide(office, "REJECTED")

    refused = error_of(office, change())
    asked_after_that = waiting(office)
    analyse(office)

    assert refused["details"]["missing"] == ["analysis-done", "plan-approved"]
    assert "I looked." in refused["message"]
    assert asked_after_that == []
    assert len(waiting(office)) == 1
    assert "I looked." not in error_of(office, change())["message"]


def test_a_change_that_did_not_pass_is_asked_about_again_once_it_was_made_again(office: Office) -> None:
    analyse(office, planned=True)
    decide(office, "APPROVED")
    executed(office, change())
    decide(office, "REJECTED")
    after_the_no = waiting(office)

    executed(office, change())

    assert after_the_no == []
    assert gates(office) == ["analysis-done", "plan-approved", "execution-done"]
    assert len(waiting(office)) == 1


def test_a_question_that_was_taken_back_leaves_the_run_as_it_is(office: Office) -> None:
    analyse(office, planned=True)

    decide(office, "CANCELED")

    assert waiting(office) == []
    assert error_of(office, change())["details"]["missing"] == ["plan-approved"]
    office.call("gateway.approve", RUN, key=office.a_colleague().key)
    assert executed(office, change())["ok"] is True


def test_what_the_gateway_itself_settles_waits_for_nobody(office: Office) -> None:
    analyse(office, planned=True)
    office.call("gateway.approve", RUN, key=office.a_colleague().key)
    (approved,) = office.rows("reviewGates.list")
    executed(office, change())
    analyse(office)
    anew = [one["prompt"].split("\n")[0] for one in waiting(office)]
    office.call("gateway.reset", RUN)

    assert approved["status"] == "APPROVED"
    assert anew == ["Run '2026-07' of 'release' waits for its plan to be approved."]
    assert waiting(office) == []


def test_neither_who_analysed_it_nor_an_agent_decides_there(office: Office) -> None:
    analyse(office, planned=True)
    (gate,) = waiting(office)
    order = {"id": gate["id"], "decision": "APPROVED"}

    refusals = [
        office.refused("reviewGates.resolve", order, key=key)[:2]
        for key in (office.owner_key, office.an_agents_key(), office.a_narrowed_key(label_ids=["lbl_1"]))
    ]

    assert refusals == [(403, "forbidden")] * 3
    assert gates(office) == ["analysis-done"]
    assert len(waiting(office)) == 1


def test_a_run_that_is_not_planned_asks_nobody(office: Office) -> None:
    analyse(office)
    executed(office, change())

    assert office.rows("reviewGates.list") == []


def test_who_says_that_a_run_is_planned_and_is_refused_has_said_so(office: Office) -> None:
    analyse(office)

    first = error_of(office, change(planned=True))
    second = error_of(office, change())

    assert first["details"] == second["details"] == {"missing": ["plan-approved"]}
    assert len(waiting(office)) == 1


def test_of_a_yes_here_and_one_there_at_once_one_counts(office: Office) -> None:
    analyse(office, planned=True)
    (gate,) = waiting(office)
    colleague, other = office.a_colleague().key, office.a_colleague().key
    order = {"id": gate["id"], "decision": "APPROVED"}

    office.meanwhile(lambda: office.call("gateway.approve", RUN, key=other))
    refused = office.refused("reviewGates.resolve", order, key=colleague)

    assert refused[:2] == (409, "conflict")
    assert gates(office) == ["analysis-done", "plan-approved"]
    assert office.rows("reviewGates.list")[0]["status"] == "APPROVED"


def test_an_archived_agent_opens_no_gate(office: Office) -> None:
    agent_id = office.an_agent("gone")["id"]
    key = office.an_agents_key(agent_id)
    office.call("agents.archive", {"id": agent_id})
    body = {"intent": "ANALYZE", "action": "workspace.get", "context": {**RUN, "planned": True}}

    assert error_of(office, body, key=key)["type"] == "PERMISSION"
    assert gates(office) == []
    assert waiting(office) == []
