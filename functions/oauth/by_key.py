"""A person signs in by a key of theirs: what the browser then may do is what the key may."""

import re

from forge.auth.keys import WELL_FORMED
from forge.context import Caller, Door
from forge.errors import Forbidden, Unauthorized
from forge.store.transactions import decided_again
from forge.work.workspace.people.api_keys import ApiKeyItem, Copied
from forge.work.workspace.people.members import MemberItem
from forge.work.workspace.signins import signins
from forge.work.workspace.signins.signins import Proof, SignedIn, Way
from forge.work.workspace.workspaces import WorkspaceItem
from functions.oauth.visits import OVERTAKEN, TRIES, Visit, new_secret

_KEY = re.compile(WELL_FORMED)


def signed_in_by_key(visit: Visit, raw: str) -> SignedIn:
    if not _KEY.fullmatch(raw):
        raise Unauthorized("This is not a whole key: they start with forge_sk_ and have 52 characters.")
    caller = visit.gate.admit({"authorization": f"Bearer {raw}"}, Door.REST, visit.services.now())
    if caller.user_id is None:
        raise Forbidden("This key is an agent's: a person signs in with a key of their own.")
    secret = new_secret()
    return decided_again(lambda: _signed_in(visit, caller, secret), tries=TRIES, spent=OVERTAKEN)


def _signed_in(visit: Visit, caller: Caller, secret: str) -> SignedIn:
    places = (
        MemberItem.at(caller.workspace_id, str(caller.user_id)),
        ApiKeyItem.at(caller.workspace_id, caller.key_id),
        WorkspaceItem.at(caller.workspace_id),
    )
    known = visit.table.read(places)
    member, own = known.find(MemberItem, places[0]), known.find(ApiKeyItem, places[1])
    workspace = known.find(WorkspaceItem, places[2])
    if own is None or not own.is_live(visit.services.now()):
        raise Unauthorized("This key has just ended.")
    if member is None or workspace is None:
        raise Forbidden("The owner of this API key is no longer a member of its workspace.")
    tx = visit.begin(caller, "oauth.sign-in")
    copied = Copied(workspace.calls_per_minute, workspace.log_shards)
    maker = own.made_by_key_id or caller.key_id
    member = signins.with_room(tx, visit.table, member)
    proof = Proof(member, Way.KEY, caller, own.rate_per_minute, copied, maker)
    begun = signins.begin(tx, proof, secret)
    visit.services.store.commit(tx)
    return begun
