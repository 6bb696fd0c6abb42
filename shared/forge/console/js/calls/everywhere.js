/** Tools about what every page asks. */

export const EVERYWHERE = {
  "workspace.get": [],
  "events.recent": ["subjectType", "subjectId", "limit", "fields"],
  "agents.list": [],
  "issues.get": ["id", "include"],
  "issues.list": ["query", "statusId", "projectId", "limit", "cursor", "fields"],
  "goals.list": ["limit", "cursor"],
  "runs.list": ["id", "issueId", "status", "needsPerson", "limit", "cursor", "fields"],
  "comments.create": ["issueId", "body"],
  "actionRequests.list": ["id", "status", "assignedUserId", "issueId", "include", "limit", "cursor", "fields"],
  "reviewGates.list": ["id", "status", "limit"]
};
