/** Tools about goals, plans and pipelines. */

export const PLANS = {
  "goals.get": ["id"],
  "executionPlans.get": ["id", "stepId", "offset"],
  "pipeline_list": ["status", "limit", "cursor"],
  "state_resume_info": ["workspace"],
  "pipeline_list_artifacts": ["workspace"],
  "pipeline_get_artifact": ["workspace", "name"]
};
