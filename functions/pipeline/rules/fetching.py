"""What a caller has to fetch of an issue before a pipeline can begin with it, and how."""

from forge.work.pipelines.pipelines import PipelineSource
from functions.pipeline.models.starting import FetchNeeded
from functions.pipeline.rules.arguments import RequestSource


def needed(source: RequestSource) -> FetchNeeded:
    url, issue_id = str(source.url), str(source.id)
    if source.type == PipelineSource.GITHUB:
        fields = ["labels", "title", "body"]
        return FetchNeeded(
            type="github",
            fields=fields,
            response_mapping={field: f"github_{field}" for field in fields},
            command=["gh", "issue", "view", url, "--json", "labels,title,body"],
            instruction="fetch github issue fields before calling pipeline_init_with_context",
        )
    if source.type == PipelineSource.JIRA:
        fields = ["summary", "description", "issue_type", "story_points"]
        return FetchNeeded(
            type="jira",
            fields=fields,
            response_mapping={field: f"jira_{field}" for field in fields},
            instruction="fetch jira issue fields, with the Atlassian MCP server or its REST API, before"
            " calling pipeline_init_with_context",
        )
    fields = ["title", "description", "labels", "estimate"]
    return FetchNeeded(
        type="linear",
        fields=fields,
        response_mapping={field: f"linear_{field}" for field in fields},
        mcp_tool="mcp__linear__get_issue",
        mcp_params={"issueId": issue_id},
        instruction="fetch linear issue fields before calling pipeline_init_with_context",
    )
