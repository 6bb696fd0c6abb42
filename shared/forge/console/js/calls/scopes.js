/** The scopes of every tool that changes something, so that nobody is offered what their key may not; held to the catalog. */

/** @type {Record<string, string[]>} */
export const SCOPES = {
  "actionRequests.accept": ["WRITE_ISSUES"],
  "actionRequests.decline": ["WRITE_ISSUES"],
  "actionRequests.transition": ["WRITE_ISSUES"],
  "actionRequests.vote": ["WRITE_ISSUES"],
  "attachments.attachLink": ["WRITE_ISSUES"],
  "attachments.finalize": ["WRITE_ISSUES"],
  "attachments.initUpload": ["WRITE_ISSUES"],
  "comments.create": ["WRITE_COMMENTS"],
  "cycles.create": ["WRITE_ISSUES"],
  "cycles.plan": ["WRITE_ISSUES"],
  "cycles.update": ["WRITE_ISSUES"],
  "github.link": ["WRITE_ISSUES"],
  "initiatives.create": ["WRITE_PROJECTS"],
  "initiatives.linkProject": ["WRITE_PROJECTS"],
  "issues.assign": ["WRITE_ISSUES"],
  "issues.create": ["WRITE_ISSUES"],
  "issues.reassign": ["WRITE_ISSUES"],
  "issues.setLabels": ["WRITE_ISSUES"],
  "issues.setQueued": ["WRITE_ISSUES"],
  "issues.transition": ["WRITE_ISSUES"],
  "issues.update": ["WRITE_ISSUES"],
  "relations.add": ["WRITE_ISSUES"],
  "relations.remove": ["WRITE_ISSUES"],
  "reviewGates.resolve": ["WRITE_ISSUES"],
  "runs.kick": ["WRITE_ISSUES"]
};
