"""One try of a delivery: taken by a conditional write, posted, and written down with what follows from it."""

import hmac
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from hashlib import sha256

from forge.errors import Unavailable
from forge.outbound.addresses import Disallowed
from forge.outbound.orders import AnswerLimits, Order, Unreachable
from forge.store.keys import Key
from forge.store.readings import Readings
from forge.store.transactions import decided_again
from forge.work.background.deliveries import outcomes, retries
from forge.work.background.deliveries.deliveries import DeliveryItem, DeliveryStatus, ReceiverType
from forge.work.background.deliveries.retries import KEPT_OF_RESPONSE, Result, Turn
from forge.work.content.destinations import destinations
from forge.work.content.destinations.destinations import Destination, Nobody
from forge.work.content.destinations.webhooks import WebhookItem
from forge.work.workspace import jobs
from forge.work.workspace.jobs import Unreadable
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.signing import Signing, signing_of
from forge.work.workspace.workers import Worker
from forge.work.workspace.workspaces import WorkspaceItem

_MOST_CLAIMS = 3
SECOND = "-next"
"""What the headers of the second signatures end with, while another secret is on its way."""
USER_AGENT = "forge-webhook/1"
_BYTES_OF_A_CHARACTER = 4


def deliver(worker: Worker, workspace_id: str, delivery_id: str) -> DeliveryItem | None:
    """Try it, if it is time; what became of it, or None where there was nothing to do.

    The message is only a hint: repeated, late or early, it does what the row says.
    """
    key = DeliveryItem.at(workspace_id, delivery_id)
    spent = Unavailable("Others keep changing this delivery.")
    taken = decided_again(lambda: _take(worker, key), tries=_MOST_CLAIMS, spent=spent)
    if taken is None:
        return None
    if taken.leased_until is None:
        return taken
    (destination,) = _look_up(worker, workspace_id, [taken])
    return _try(worker, taken, *destination)


def begin_together(
    worker: Worker, workspace_id: str, delivery_ids: Sequence[str]
) -> list[Callable[[], DeliveryItem | None]]:
    """The same for several of one workspace: all are taken in few requests, and each is left to be posted.

    It fails where somebody else is faster with any of them: then each has to be tried alone.
    """
    keys = [DeliveryItem.at(workspace_id, delivery_id) for delivery_id in delivery_ids]
    known = worker.store.table.read(keys)
    now, tx = worker.now, worker.begin(workspace_id)
    taken: dict[str, DeliveryItem] = {}
    alone: set[str] = set()
    for delivery_id, key in zip(delivery_ids, keys, strict=True):
        found = known.find(DeliveryItem, key)
        whose = retries.turn(found, now) if found else Turn.OVER
        if found is not None and whose is Turn.NOW:
            leased = found.leased(now, attempt=found.attempt + 1, scheduled_at=now)
            tx.replace(leased)
            taken[delivery_id] = leased.changed(version=leased.version + 1)
        elif whose is Turn.SPENT:
            alone.add(delivery_id)
    # Before they are taken: what fails until then was not begun.
    destinations_of = _look_up(worker, workspace_id, [*taken.values()]) if taken else []
    if taken:
        worker.store.commit(tx)
    tries = {
        one.id: partial(_try, worker, one, *destination)
        for one, destination in zip(taken.values(), destinations_of, strict=True)
    }
    by_itself = {one: partial(deliver, worker, workspace_id, one) for one in alone}
    return [tries.get(one) or by_itself.get(one) or _nothing_to_do for one in delivery_ids]


def _nothing_to_do() -> None:
    return None


def _try(
    worker: Worker, taken: DeliveryItem, workspace: WorkspaceItem, destination: Destination | Nobody
) -> DeliveryItem:
    result = _post(worker, taken, workspace, destination)
    became = outcomes.record(worker, taken, result, workspace)
    delay = retries.delay_before(became, worker.now)
    if became.status is DeliveryStatus.FAILED and delay is not None:
        jobs.send(worker.store, became, delay_seconds=delay)
    return became


def _take(worker: Worker, key: Key) -> DeliveryItem | None:
    """The delivery, ours for the length of a try; without a lease if it was only given up."""
    found = worker.store.table.find(DeliveryItem, key)
    now = worker.now
    whose = retries.turn(found, now) if found else Turn.OVER
    if found is None or whose in (Turn.OVER, Turn.TAKEN, Turn.EARLY):
        return None
    taken = found.leased(now, attempt=found.attempt + 1, scheduled_at=now)
    if whose is Turn.SPENT:
        taken = retries.settled(found, retries.LOST, now=now, chance=0)
    tx = worker.begin(found.workspace_id)
    tx.replace(taken)
    worker.store.commit(tx)
    return taken.changed(version=taken.version + 1)


def _look_up(
    worker: Worker, workspace_id: str, deliveries: Sequence[DeliveryItem]
) -> list[tuple[WorkspaceItem, Destination | Nobody]]:
    """The receivers as they are now: a URL may be another than when the event happened."""
    workspace = WorkspaceItem.at(workspace_id)
    receivers = [_receiver(delivery) for delivery in deliveries]
    known: Readings = worker.store.table.read([workspace, *dict.fromkeys(receivers)])
    settings = known.find(WorkspaceItem, workspace)
    if settings is None:
        raise Unreadable("there is no such workspace")
    if settings.deletes_at is not None:
        return [(settings, Nobody("The workspace is being deleted.")) for _ in deliveries]
    return [
        (settings, _destination(known, delivery, receiver))
        for delivery, receiver in zip(deliveries, receivers, strict=True)
    ]


def _receiver(delivery: DeliveryItem) -> Key:
    place = AgentItem.at if delivery.target_type is ReceiverType.AGENT else WebhookItem.at
    return place(delivery.workspace_id, delivery.target_id)


def _destination(known: Readings, delivery: DeliveryItem, receiver: Key) -> Destination | Nobody:
    if delivery.target_type is ReceiverType.AGENT:
        return destinations.of_agent(known.find(AgentItem, receiver))
    return destinations.of_webhook(known.find(WebhookItem, receiver))


def _post(
    worker: Worker, delivery: DeliveryItem, workspace: WorkspaceItem, destination: Destination | Nobody
) -> Result:
    if isinstance(destination, Nobody):
        return Result(0, destination.reason, is_final=True)
    body = delivery.body.encode()
    signing = signing_of(destination.secret, destination.next_secret, worker.now)
    signed = signed_headers(body, signing, now=worker.now)
    try:
        reply = worker.outbound.send(
            Order(destination.url, "POST", signed, body),
            limits=AnswerLimits(worker.seconds, bytes=KEPT_OF_RESPONSE * _BYTES_OF_A_CHARACTER),
            allow=destinations.exceptions_of(workspace, own_machine=worker.own_machine),
        )
    except Disallowed as refusal:
        return Result(0, f"Nothing was sent: {refusal}", is_final=True)
    except Unreachable as failure:
        return Result(0, f"No answer: {failure}")
    return Result(reply.status, reply.body.decode(errors="replace"))


def signed_headers(body: bytes, signing: Signing, *, now: datetime) -> dict[str, str]:
    """Without a secret there is nothing to sign with, and a signature that anybody could make is none."""
    moment = str(int(now.timestamp()))
    plain = {"content-type": "application/json", "user-agent": USER_AGENT, "x-forge-timestamp": moment}
    for secret, ending in ((signing.secret, ""), (signing.second, SECOND)):
        if secret:
            plain[f"x-forge-signature{ending}"] = _signed(secret, moment.encode() + b"." + body)
            plain[f"x-webhook-signature{ending}"] = _signed(secret, body)
    return plain


def _signed(secret: str, message: bytes) -> str:
    return hmac.new(secret.encode(), message, sha256).hexdigest()
