"""A person says what they want to hear of; what is said for a workspace wins over what is said for all."""

from typing import Any

from tests.workshop.office import Body, Office


def prefer(office: Office, key: str | None = None, **said: Any) -> Body:
    wanted = {"eventKind": "ISSUE_STALLED", "enabled": False, **said}
    return office.call("notification.setPreference", wanted, key=key or office.owner_key)


def preferences(office: Office, key: str | None = None) -> list[Body]:
    return office.rows("notification.listPreferences", key=key or office.owner_key)


def test_a_workspaces_preference_wins_and_both_are_shown(office: Office) -> None:
    everywhere = prefer(office, scope="global", delivery="INBOX_AND_DIGEST")
    prefer(office, scope="global", eventKind="ISSUE_CREATED")
    here = prefer(office, enabled=True)

    created, stalled = preferences(office)

    assert everywhere["workspaceId"] is None
    assert stalled == {
        "eventKind": "ISSUE_STALLED",
        "enabled": True,
        "delivery": "INBOX_ONLY",
        "scope": "workspace",
        "workspace": here,
        "global": everywhere,
    }
    assert (created["enabled"], created["scope"]) == (False, "global")
    assert "workspace" not in created


def test_a_global_preference_is_there_in_every_workspace_of_the_person_and_for_nobody_else(
    office: Office,
) -> None:
    slug = f"n-{office.workspace.slug}"
    order = {"slug": slug, "key": office.workspace.slug.upper()[:6] + "N", "name": "N"}
    key_there = office.call("workspaces.create", order)["rawKey"]
    colleague = office.a_colleague()
    made = prefer(office, scope="global")
    prefer(office, eventKind="ISSUE_CREATED")

    (row,) = preferences(office, key_there)

    assert (row["scope"], row["global"]) == ("global", made)
    assert preferences(office, colleague.key) == []


def test_what_is_left_out_is_reset_and_the_row_stays_the_same_one(office: Office) -> None:
    first = prefer(office, delivery="INBOX_AND_DIGEST")

    second = prefer(office, enabled=True)

    assert second == {**first, "enabled": True, "delivery": "INBOX_ONLY"}


def test_of_two_that_are_said_at_once_the_last_counts(office: Office) -> None:
    office.meanwhile(lambda: prefer(office, enabled=True))

    made = prefer(office, delivery="INBOX_AND_DIGEST")

    (row,) = preferences(office)
    assert row["workspace"] == made
