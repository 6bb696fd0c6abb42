from forge.testing.mocked import mocked_world


def test_an_escalated_issue_is_stored_with_its_new_priority() -> None:
    with mocked_world() as world:
        key = world.owner_key()
        issue = world.call("issues.create", {"title": "Login hangs", "priority": "LOW"}, key=key)
        issue_id = issue["structuredContent"]["id"]

        escalated = world.call("escalations.escalate", {"issueId": issue_id}, key=key)
        read = world.call("issues.get", {"id": issue_id}, key=key)

    assert escalated["structuredContent"]["priority"] == "MEDIUM"
    assert read["structuredContent"]["priority"] == "MEDIUM"
