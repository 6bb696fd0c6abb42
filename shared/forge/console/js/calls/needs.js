/** Tools about what waits for a person. */

export const NEEDS = {
  "actionRequests.results": ["id"],
  "actionRequests.accept": ["id", "shownHash", "resolution"],
  "actionRequests.decline": ["id", "reason"],
  "actionRequests.vote": ["id", "optionKey"],
  "actionRequests.transition": ["id", "status", "until"],
  "admin/webhookDeliveries.list": ["status", "limit", "cursor"],
  "admin/timers.list": ["state", "limit", "cursor"],
  "admin/keys.list": ["limit", "cursor"],
  "reviewGates.resolve": ["id", "decision", "resolution"],
  "issues.reassign": ["issueId", "toProfileKey", "rationale"]
};
