"""Two log groups: one for all functions, one for what the API was asked.

Functions share a group, so that one query follows a call from the router into its namespace; the name of a
stream begins with the day and names its function.
"""

from infra.stack.shapes import Resources, ref

FUNCTIONS_LOG, API_LOG = "FunctionsLog", "ApiLog"


def log_resources() -> Resources:
    return {
        group: {
            "Type": "AWS::Logs::LogGroup",
            "Properties": {"RetentionInDays": ref("LogRetentionDays")},
        }
        for group in (FUNCTIONS_LOG, API_LOG)
    }
