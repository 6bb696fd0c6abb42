/** Tools about what waits for a person. */

export const NEEDS = {
  "actionRequests.results": ["id"],
  "actionRequests.accept": ["id", "shownHash", "resolution"],
  "actionRequests.decline": ["id", "reason"],
  "actionRequests.vote": ["id", "optionKey"],
  "reviewGates.resolve": ["id", "decision", "resolution"],
  "issues.reassign": ["issueId", "toProfileKey", "rationale"]
};
