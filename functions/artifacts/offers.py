"""What artifacts offer besides tools: each as the document that it is."""

from forge.context import Context
from forge.contract.contents import Contents, facts
from forge.contract.models import Model
from forge.contract.offering import Offering
from forge.contract.terms import Scope
from functions.artifacts import tools
from functions.artifacts.models import GetArtifact, Slug

offers = Offering(tools.namespace)

_MOST = 39_000
"""Of the text, which leaves room for what is said about it."""

offers.completion("artifact", tools.list, "slug", also=("title",), arguments={"limit": 100})


class ArtifactAddress(Model):
    slug: Slug


@offers.resource(
    "forge://artifact/{slug}",
    title="Artifact",
    scopes=[Scope.READ_ISSUES],
    costs=tools.get.costs,
    completes={"slug": "artifact"},
)
def artifact_page(request: ArtifactAddress, ctx: Context) -> Contents:
    """A document that outlasts the work it came from: its newest text."""
    found = tools.get(GetArtifact(slug=request.slug, limit=_MOST), ctx)
    known = facts(type=found.type, status=found.status, version=found.version, updated=found.updated_at)
    order = f'artifacts.get {{"slug": "{found.slug}", "offset": {found.next_offset}}}'
    more = f"\n\n[Cut here: {order} goes on.]" if found.next_offset else ""
    return Contents.markdown(f"# {found.title}\n\n{known}\n\n{found.body}{more}", read_on=order)
