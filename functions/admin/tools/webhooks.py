"""Webhooks: who hears of the workspace's events, and what became of each delivery."""

from contextlib import suppress
from datetime import timedelta

from forge.context import Context
from forge.contract.effects import FILTERED, Cost
from forge.contract.fields import Paged
from forge.contract.models import Deleted, Page
from forge.errors import PreconditionFailed, Unavailable
from forge.store.answers import NoAnswer, Refused
from forge.store.pages import read_page
from forge.store.walks import one_partition
from forge.work.background.deliveries import deliveries, retries
from forge.work.background.deliveries.deliveries import DeliveryItem
from forge.work.content.destinations import destinations, webhooks
from forge.work.content.destinations.webhooks import MAX_WEBHOOKS, WEBHOOKS, WebhookItem
from forge.work.issues.pages.listing import Pager
from forge.work.record.log import events
from forge.work.workspace import jobs, signing
from functions.admin.models.webhooks import (
    CreateWebhook,
    DeleteWebhook,
    DeliveryView,
    ListDeliveries,
    NewWebhook,
    RetryDelivery,
    RotatedSecret,
    RotateSecret,
    WebhookView,
    delivery_view,
)
from functions.admin.tools import namespace


@namespace.writes(
    secrets=["secret"],
    name="webhooks.create",
    lasting=True,
    costs=Cost(reads=2, writes=1, items=5),
)
def create(request: CreateWebhook, ctx: Context) -> NewWebhook:
    """Have the workspace's events posted to a URL, signed; `secret` is in this answer and nowhere else.

    Of what is sent, x-webhook-signature is the hex HMAC-SHA256 with the secret, and x-forge-signature that of
    "{x-forge-timestamp}.{body}". A URL that exists is a conflict; a private one is refused, unless
    webhookAllowedHosts of workspaces.update names its host.
    Example: {"url": "https://ci.example.com/forge", "events": ["ISSUE_CREATED", "ISSUE_STATUS_CHANGED"]}
    """
    workspace = ctx.services.workspaces.get(ctx.caller.workspace_id)
    allow = destinations.exceptions_of(workspace, own_machine=ctx.services.own_machine)
    called = destinations.require_reachable(request.url, allow, field="url")
    others = webhooks.list_all(ctx.table, workspace.id)
    if len(others) >= MAX_WEBHOOKS:
        raise PreconditionFailed(
            f"A workspace has at most {MAX_WEBHOOKS} webhooks.", hint="Delete one first."
        )
    webhook = WebhookItem(
        workspace_id=workspace.id,
        id=ctx.new_id("whk"),
        url=request.url,
        called=called,
        secret=request.secret or signing.new_secret(),
        events=[*dict.fromkeys(request.events)],
        created_at=ctx.now(),
    )
    tx = ctx.plan()
    webhooks.add(tx, webhook, workspace, others)
    events.record_change(tx, "webhook", webhook.id, action="create", after=webhook)
    return NewWebhook.of(webhook)


@namespace.reads(name="webhooks.list", costs=Cost(reads=1))
def list(request: Paged, ctx: Context) -> Page[WebhookView]:
    """List the workspace's webhooks, the oldest first, with the events that each hears of (none is all).

    Secrets are never shown again. Example: {"limit": 20}
    """
    found = read_page(ctx.table, WebhookItem, one_partition(WEBHOOKS(ctx.caller.workspace_id)), request)
    return Pager(Page[WebhookView]).page(found, WebhookView.of)


@namespace.writes(destructive=True, name="webhooks.delete", costs=Cost(reads=2, writes=1, items=5))
def delete(request: DeleteWebhook, ctx: Context) -> Deleted:
    """Delete a webhook: nothing is sent to it any more, and what was on its way is given up.

    Example: {"id": "whk_01J…"}
    """
    workspace = ctx.services.workspaces.get(ctx.caller.workspace_id)
    hearing = webhooks.list_all(ctx.table, workspace.id)
    webhook = webhooks.chosen(hearing, request.id)
    tx = ctx.plan()
    webhooks.remove(tx, webhook, workspace, [one for one in hearing if one.id != webhook.id])
    events.record_change(tx, "webhook", webhook.id, action="delete", before=webhook)
    return Deleted(id=webhook.id)


@namespace.writes(
    secrets=["secret"],
    name="webhooks.rotateSecret",
    lasting=True,
    costs=Cost(reads=1, writes=1, items=3),
)
def rotate_secret(request: RotateSecret, ctx: Context) -> RotatedSecret:
    """Give a webhook another secret, without a gap; it is in this answer and nowhere else.

    Until `signsAloneFrom`, posts are signed with the old one as ever, and with the new one in
    x-forge-signature-next and x-webhook-signature-next: a receiver that accepts either can be given the new
    secret at any time until then. While one is on its way, another is a conflict, unless graceHours is 0.
    Example: {"id": "whk_01J…", "graceHours": 24}
    """
    webhook = webhooks.get(ctx.table, ctx.caller.workspace_id, request.id)
    fresh, grace = request.secret or signing.new_secret(), timedelta(hours=request.grace_hours)
    became = signing.rotated(webhook.secret, webhook.next_secret, fresh, grace=grace, now=ctx.now())
    tx = ctx.plan()
    tx.replace(webhook.changed(secret=became.secret, next_secret=became.following))
    events.record_change(tx, "webhook", webhook.id, action="rotateSecret")
    return RotatedSecret(id=webhook.id, secret=fresh, signs_alone_from=ctx.now() + grace)


@namespace.reads(
    name="webhookDeliveries.list",
    costs=Cost(reads=1).up_to(reads=3, because=FILTERED),
)
def list_deliveries(request: ListDeliveries, ctx: Context) -> Page[DeliveryView]:
    """List what was sent to webhooks and agents, newest first: how often it was tried, and what was answered.

    FAILED is tried again at scheduledAt; DEAD_LETTER was given up after six tries, and
    webhookDeliveries.retry begins anew. Kept for 30 days. Example: {"status": "DEAD_LETTER"}
    """
    found = deliveries.list_page(ctx.table, ctx.caller.workspace_id, request.status, request)
    return Pager(Page[DeliveryView]).page(found, delivery_view)


@namespace.writes(name="webhookDeliveries.retry", costs=Cost(reads=1, writes=1, items=3))
def retry(request: RetryDelivery, ctx: Context) -> DeliveryView:
    """Try a delivery again that failed or was given up, at once and as if it had never been tried.

    Mend the cause first. The receiver may get an event twice: it knows it by its id. One that is PENDING or
    succeeded is a conflict. Example: {"id": "whd_01J…"}
    """
    before = deliveries.get(ctx.table, ctx.caller.workspace_id, request.id)
    after = retries.replayed(before, ctx.now())
    tx = ctx.plan()
    tx.replace(after)
    events.record_change(tx, "webhook-delivery", before.id, action="retry", before=before, after=after)
    _send_afterwards(ctx, after)
    return delivery_view(after)


def _send_afterwards(ctx: Context, delivery: DeliveryItem) -> None:
    """Have it tried when the call is over and has succeeded; if no message can be sent, the sweep does it."""

    def send() -> None:
        if ctx.has_committed:
            with suppress(Refused, NoAnswer, Unavailable):
                jobs.send(ctx.services.store, delivery)

    ctx.at_end = (*ctx.at_end, send)
