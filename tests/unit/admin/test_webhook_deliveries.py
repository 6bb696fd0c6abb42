"""What was sent, as operators see it, and having it sent again."""

from forge.work.background.deliveries.deliveries import DeliveryItem, DeliveryStatus, ReceiverType
from tests.workshop.office import Office

FAILED, DEAD = DeliveryStatus.FAILED, DeliveryStatus.DEAD_LETTER


def a_delivery(office: Office, number: int = 1, **fields: object) -> DeliveryItem:
    now = office.world.clock()
    plain = DeliveryItem(
        workspace_id=office.workspace.id,
        id=f"whd_{number}",
        event_id=f"evt_{number}",
        event_kind="ISSUE_CREATED",
        target_type=ReceiverType.WEBHOOK,
        target_id="whk_1",
        body='{"id": "evt_1"}',
        created_at=now,
        scheduled_at=now,
    )
    delivery = plain.changed(**fields)
    office.put(delivery)
    return delivery


def test_a_delivery_is_shown_with_how_it_went_but_not_with_what_was_sent(office: Office) -> None:
    made = a_delivery(office, status=DEAD, attempt=6, response_status=500, response_body="é" * 8000)

    (listed,) = office.rows("webhookDeliveries.list")

    moment = made.created_at.isoformat().replace("+00:00", "Z")
    assert listed == {
        "id": "whd_1",
        "eventId": "evt_1",
        "kind": "ISSUE_CREATED",
        "webhookId": "whk_1",
        "status": "DEAD_LETTER",
        "attempt": 6,
        "responseStatus": 500,
        "responseBody": "é" * 2048,
        "createdAt": moment,
        "scheduledAt": moment,
        "deliveredAt": None,
    }


def test_deliveries_are_listed_newest_first_and_by_their_status(office: Office) -> None:
    for number, status in enumerate([FAILED, DEAD, DeliveryStatus.SUCCESS, DEAD, DeliveryStatus.PENDING]):
        a_delivery(office, number, status=status)

    def listed(**wanted: object) -> list[str]:
        return [row["id"] for row in office.rows("webhookDeliveries.list", wanted)]

    assert listed() == ["whd_4", "whd_3", "whd_2", "whd_1", "whd_0"]
    assert listed(status="DEAD_LETTER") == ["whd_3", "whd_1"]
    assert listed(status="SUCCESS") == ["whd_2"]
    assert listed(status="PENDING", limit=1) == ["whd_4"]


def test_what_was_given_up_begins_anew_and_the_log_says_who_wanted_it(office: Office) -> None:
    made = a_delivery(office, status=DEAD, attempt=6, response_status=500, response_body="no")
    office.world.clock.advance(hours=1)

    again = office.call("webhookDeliveries.retry", {"id": made.id})

    stored = office.world.services.store.table.find(DeliveryItem, made.key)
    now = office.world.clock()
    assert (again["status"], again["attempt"], again["responseBody"]) == ("PENDING", 0, None)
    assert stored is not None
    assert (stored.status, stored.scheduled_at, stored.look_at) == (DeliveryStatus.PENDING, now, now)
    (row,) = [row for row in office.log() if row.subject_type == "webhook-delivery"]
    assert (row.subject_id, row.action, row.actor_user_id) == (made.id, "retry", office.owner_id)
    assert row.before is not None
    assert (row.before["status"], row.before["attempt"]) == ("DEAD_LETTER", 6)


def test_what_succeeded_does_not_begin_anew(office: Office) -> None:
    made = a_delivery(office, status=DeliveryStatus.SUCCESS)

    assert office.refused("webhookDeliveries.retry", {"id": made.id})[:2] == (409, "conflict")
