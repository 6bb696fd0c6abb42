/**
 * Every tool that the console calls, each with the arguments it may send. `api.js` refuses whatever is not here, and a
 * test holds this to the catalog: it reads what is between the outer braces as JSON.
 */
export const CALLS = {
  "workspace.get": [],
  "statuses.list": [],
  "projects.list": ["limit"],
  "agents.list": [],
  "actionRequests.list": ["id", "status", "assignedUserId", "issueId", "include", "limit", "cursor", "fields"],
  "actionRequests.results": ["id"],
  "actionRequests.accept": ["id", "shownHash", "resolution"],
  "actionRequests.decline": ["id", "reason"],
  "actionRequests.vote": ["id", "optionKey"],
  "reviewGates.list": ["id", "status", "limit"],
  "reviewGates.resolve": ["id", "decision", "resolution"],
  "issues.get": ["id", "include"],
  "issues.list": ["query", "statusId", "projectId", "limit", "cursor", "fields"],
  "events.recent": ["limit", "fields"],
  "issues.reassign": ["issueId", "toProfileKey", "rationale"],
  "comments.create": ["issueId", "body"],
  "runs.list": ["id", "issueId", "status", "needsPerson", "limit", "fields"],
  "artifacts.list": ["issueId", "limit"],
  "artifacts.get": ["id"],
  "github.listLinked": ["issueId"],
  "goals.list": ["limit", "cursor"],
  "goals.get": ["id"],
  "executionPlans.get": ["id", "stepId", "offset"],
  "list_backlog": ["repository", "limit"],
  "get_workflow_status": ["issueNumber", "repository"],
  "state_resume_info": ["workspace"],
  "pipeline_list_artifacts": ["workspace"],
  "pipeline_get_artifact": ["workspace", "name"]
};
