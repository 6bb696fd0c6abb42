"""Pipelines are found again: in a list, and by whoever types their name without its date."""

from tests.unit.pipeline.starts import begun
from tests.workshop.office import Office


def listed(office: Office, **asked: object) -> list[str]:
    rows = office.call("pipeline_list", asked)["data"]
    return [row["workspace"].removeprefix(".specs/20260401-") for row in rows]


def test_pipelines_are_listed_by_how_they_stand_and_whose_they_are(office: Office) -> None:
    for name in ("first", "second"):
        begun(office, workspace=f".specs/20260401-{name}", repository="demo/app")
        office.world.clock.advance(seconds=1)
    colleague = office.a_colleague().key
    given = {"workspace": ".specs/20260401-theirs", "task_text": "A", "user_confirmation": {"effort": "S"}}
    office.call("pipeline_init_with_context", given, key=colleague)
    office.world.clock.advance(seconds=1)
    office.call("pipeline_abandon", {"workspace": ".specs/20260401-first"})

    assert listed(office) == ["first", "theirs", "second"]
    assert listed(office, status="open") == ["theirs", "second"]
    assert listed(office, status="abandoned") == ["first"]
    assert listed(office, status="waiting") == []
    assert listed(office, mine=True, status="open") == ["second"]
    assert listed(office, repository="demo/app") == ["first", "second"]


def test_who_types_a_name_without_its_date_is_told_what_may_be_meant(office: Office) -> None:
    begun(office, workspace=".specs/20260401-fix-login-timeout")

    named = office.call("pipeline_init", {"arguments": "fix-login"})
    path = office.call("pipeline_init", {"arguments": ".specs/fix-login-timeout"})
    text = office.call("pipeline_init", {"arguments": "fix login"})

    assert [one["workspace"] for one in named["candidates"]] == [".specs/20260401-fix-login-timeout"]
    assert path["errors"]
    assert path["candidates"] == named["candidates"]
    assert "candidates" not in text


def test_a_pipeline_knows_its_repository_by_its_request(office: Office) -> None:
    url = "https://github.com/demo/site/issues/4"
    begun(office, source_url=url, source_id="4", external_context={"title": "Login hangs"})

    (row,) = office.call("pipeline_list", {"repository": "demo/site"})["data"]

    assert (row["title"], row["repository"]) == ("Login hangs", "demo/site")
