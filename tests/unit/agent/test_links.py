"""Which issues an agent is given along with the words of people who had them before their eyes."""

from functions.agent.links import MOST_LINKED, Links, links_in


def test_issues_are_found_however_deep_a_snapshot_names_them() -> None:
    first = {"issue": {"id": "iss_01J000", "tags": ["DEMO-7", "UTF"]}, "DEMO-8": 9}
    second = {"seen": ["iss_01J000", "iss_01J001", "about DEMO-9"]}

    assert links_in([first, second]) == Links(["iss_01J000", "iss_01J001"], ["DEMO-7"])
    many = links_in([{"all": [f"DEMO-{number}" for number in range(100)]}])
    assert len(many.identifiers) == MOST_LINKED
