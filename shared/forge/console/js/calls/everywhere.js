/** Tools that several areas ask. */

export const EVERYWHERE = {
  "workspace.get": [],
  "events.recent": ["subjectType", "subjectId", "kinds", "limit", "cursor", "fields"],
  "agents.list": [],
  "issues.get": ["id", "include"],
  "issues.list": ["query", "statusId", "projectId", "labelIds", "assignedAgentId", "unassigned", "cycleId", "withoutCycle", "initiativeId", "priority", "includeDone", "statusCategories", "orderBy", "order", "limit", "cursor", "fields"],
  "goals.list": ["status", "limit", "cursor"],
  "runs.list": ["id", "issueId", "status", "needsPerson", "limit", "cursor", "fields"],
  "comments.create": ["issueId", "body"],
  "actionRequests.list": ["id", "status", "assignedUserId", "issueId", "include", "limit", "cursor", "fields"],
  "reviewGates.list": ["id", "status", "limit", "cursor"],
  "statuses.list": [],
  "labels.list": [],
  "projects.list": ["limit", "cursor"],
  "cycles.list": ["limit", "cursor", "status"]
};
