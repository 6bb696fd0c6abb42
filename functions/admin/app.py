"""Lambda entry point of the operators' surface."""

from forge.wire.aws_lambda import lambda_handler
from forge.wire.observing import observed_requests
from functions.admin.tools import agents, keys, members, statuses, tokens, workspaces

handler = observed_requests(
    "admin",
    lambda_handler(
        agents.namespace,
        keys.namespace,
        members.namespace,
        statuses.namespace,
        tokens.namespace,
        workspaces.namespace,
    ),
)
