/** Tools about issues. */

export const WORK = {
  "statuses.list": [],
  "projects.list": ["limit"],
  "artifacts.list": ["issueId", "limit"],
  "artifacts.get": ["id"],
  "github.listLinked": ["issueId"],
  "list_backlog": ["repository", "limit"],
  "get_workflow_status": ["issueNumber", "repository"]
};
