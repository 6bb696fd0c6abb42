"""What attachments offer besides tools: small files, pictures as such."""

from forge.context import Context
from forge.contract.contents import Contents
from forge.contract.models import Model
from forge.contract.offering import Offering
from forge.contract.terms import Scope
from functions.attachments import tools
from functions.attachments.models import AttachmentId, GetInline

offers = Offering(tools.namespace)


class AttachmentAddress(Model):
    id: AttachmentId


@offers.resource(
    "forge://attachments/{id}",
    title="Attached file",
    scopes=[Scope.READ_ISSUES],
    costs=tools.get_inline.costs,
    mime_type="application/octet-stream",
)
def attachment_page(request: AttachmentAddress, ctx: Context) -> Contents:
    """A file of up to 1 MB that is attached to an issue or a comment."""
    found = tools.get_inline(GetInline(attachment_id=request.id), ctx)
    return Contents(mime_type=found.mime_type, blob=found.base64)
