"""What the workspace shows of itself."""

from forge.contract.models import Model
from forge.work.workspace.workspaces import WorkspaceItem


class WorkspaceView(Model):
    id: str
    slug: str
    key: str
    name: str
    cycle_length_days: int
    cycle_cooldown_days: int
    time_tracking_enabled: bool
    attachment_quota_mb: int
    required_ack_seconds: int
    auto_dispatch: bool
    auto_dispatch_mode: str
    plans_need_a_person: bool
    checkpoints_need_a_person: bool
    move_on_start: bool
    move_on_complete: bool


def workspace_view(workspace: WorkspaceItem) -> WorkspaceView:
    return WorkspaceView.of(workspace, key=workspace.key_prefix)
