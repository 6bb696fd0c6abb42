"""What each sample emits: kind, what it is about, and the fields of its payload."""

RUN_STARTED = "AGENT_RUN_STARTED agent-run: agentId, assignmentEventId, issueId, runId"
RUN_ENDED = "AGENT_RUN_COMPLETED agent-run: agentId, finalStatus, issueId, runId, summary"
MOVED = "ISSUE_STATUS_CHANGED issue: from, statusId"
EDITED = (
    "ISSUE_UPDATED issue: artifactRequired, description, dueDate, estimate, expectedOutput, parentId, "
    "priority, projectId, title, verificationChecklist"
)
CLAIMED = "ISSUE_UPDATED issue: claimExpiresAt, claimed, claimedByAgentId, claimedById"
ARTIFACT_WRITTEN = "ISSUE_UPDATED artifact: action, artifactId, title, version"

EMITTED: dict[str, tuple[str, ...]] = {
    "artifacts.create": (ARTIFACT_WRITTEN,),
    "artifacts.create with a text that is kept apart": (ARTIFACT_WRITTEN,),
    "artifacts.update": (ARTIFACT_WRITTEN,),
    "artifacts.archive": ("ISSUE_UPDATED artifact: action, artifactId, title",),
    "artifacts.promote": (ARTIFACT_WRITTEN,),
    "artifacts.promote of a run": (ARTIFACT_WRITTEN,),
    "artifacts.promote of an issue": (ARTIFACT_WRITTEN,),
    "comments.create": (
        *(RUN_STARTED,) * 8,
        "COMMENT_CREATED issue: commentId, confidence, issueId, kind, mentions, preview",
    ),
    "comments.create by an agent": (
        *(RUN_STARTED,) * 7,
        "COMMENT_CREATED issue: commentId, issueId, kind, mentions, preview",
    ),
    "comments.delete": ("COMMENT_UPDATED issue: commentId, deleted, issueId",),
    "comments.delete by an agent": ("COMMENT_UPDATED issue: commentId, deleted, issueId",),
    "comments.update": (
        *(RUN_STARTED,) * 8,
        "COMMENT_UPDATED issue: commentId, edited, issueId, mentions, preview",
    ),
    "comments.update by an agent": (
        RUN_STARTED,
        "COMMENT_UPDATED issue: commentId, edited, issueId, mentions, preview",
    ),
    "comments.upsertStatus": (
        RUN_STARTED,
        "COMMENT_CREATED issue: commentId, currentStep, issueId, kind, preview, runId",
    ),
    "comments.upsertStatus again": (
        "COMMENT_UPDATED issue: commentId, currentStep, issueId, kind, preview, runId",
    ),
    "issues.create": ("ISSUE_CREATED issue: number, title",),
    "issues.create by an agent": ("ISSUE_CREATED issue: number, title",),
    "issues.update": ("ISSUE_PRIORITY_CHANGED issue: from, to", EDITED),
    "issues.setLabels": ("ISSUE_UPDATED issue: add, remove",),
    "issues.queue": ("ISSUE_QUEUED issue: assignedAgentId, number",),
    "issues.setQueued": ("ISSUE_UPDATED issue: queued",),
    "issues.transition to done": (RUN_ENDED, MOVED),
    "issues.transition by an agent": (RUN_STARTED, MOVED),
    "issues.bulkTransition": (RUN_ENDED, *(MOVED,) * 2),
    "issues.claim": (CLAIMED,),
    "issues.claim of the best": (CLAIMED,),
    "issues.claim by an agent": (CLAIMED,),
    "issues.release": ("ISSUE_UPDATED issue: claimed",),
    "issues.assign": (
        "AGENT_ASSIGNED issue: agentId, engagementMode, issueSnapshot, previousAgentId",
        RUN_ENDED,
        RUN_STARTED,
    ),
    "issues.assign to itself": (
        "AGENT_ASSIGNED issue: agentId, engagementMode, issueSnapshot, previousAgentId",
        RUN_STARTED,
    ),
    "issues.reassign": (
        "AGENT_ASSIGNED issue: auto, commentId, from, issueSnapshot, rationale, reason, to",
        RUN_ENDED,
        RUN_STARTED,
    ),
    "issues.watch": (),
    "issues.unwatch": (),
    "relations.add": ("ISSUE_UPDATED issue: added, relation",),
    "relations.add from the blocked side": ("ISSUE_UPDATED issue: added, relation",),
    "relations.add of a duplicate": ("ISSUE_UPDATED issue: added, relation",),
    "relations.remove": ("ISSUE_UPDATED issue: relation, removed",),
    "relations.remove of a duplicate": ("ISSUE_UPDATED issue: relation, removed",),
    "runs.complete": (RUN_ENDED, "ISSUE_STATUS_CHANGED issue: from, runId, statusId, via"),
    "runs.complete in a word": (RUN_ENDED,),
    "runs.kick": ("AGENT_RUN_KICKED agent-run: agentId, currentStep, idleMs, issueId, runId, via",),
    "runs.recordUsage": (),
    "runs.resumeWork": (),
    "runs.setWaiting": ("AGENT_RUN_BLOCKED agent-run: agentId, issueId, reason, runId",),
    "agents.heartbeat": ("AGENT_STATUS_CHANGED agent: from, profileKey, to",),
    "catalog.call": (),
    "labels.create": (),
    "labels.delete": (),
    "labels.update": (),
    "projects.archive": ("PROJECT_UPDATED project: archived",),
    "projects.create": ("PROJECT_CREATED project: key, name",),
    "projects.update": ("PROJECT_UPDATED project: initiativeId",),
}
