"""What the guide to pipelines says is so."""

import re

from forge.store.store import Store
from forge.testing.world import World
from forge.work.pipelines.phases import BY_ID, SKIPPED
from tests.integration.guides.test_guides import GUIDES
from tests.integration.guides.transcripts import Play, lines_of
from tests.workshop.office import Office

GUIDE = GUIDES / "pipeline.md"


def test_the_transcript_is_what_happens(store: Store) -> None:
    office = Office(World(store=store))
    keys = {"owner": office.owner_key, "agent": office.an_agents_key(office.an_agent("driver")["id"])}
    play, lines = Play(office.world, keys), [*lines_of(GUIDE)]

    for line in lines:
        play.act(line)

    assert lines[-1].tool == "pipeline_next_action"


def test_the_table_of_efforts_names_what_each_leaves_out() -> None:
    rows = re.findall(r"^\| ([SML]) \| .* \| (.*) \|$", GUIDE.read_text(), re.MULTILINE)

    left_out = {effort: [BY_ID[phase].label for phase in skipped] for effort, skipped in SKIPPED.items()}

    assert {effort: told.replace("nothing", "").split(", ") for effort, told in rows} == {
        effort: labels or [""] for effort, labels in left_out.items()
    }


def test_the_rules_that_it_shows_are_understood(store: Store) -> None:
    office = Office(World(store=store))
    found = re.search(r"^```text\n(---\nrules:.*?)^```$", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    assert found
    given = {
        "workspace": ".specs/20260401-x",
        "task_text": "Add x",
        "user_confirmation": {"effort": "M"},
    }
    workspace = office.call("pipeline_init_with_context", given)["workspace"]

    told = office.call("pipeline_set_profile", {"workspace": workspace, "instructions": found[1]})

    assert told["rules"] == 1
