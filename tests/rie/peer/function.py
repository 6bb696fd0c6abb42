"""The peer: a function with one tool on awslabs.mcp-lambda-handler, and a client for what it would store."""

import boto3
from awslabs.mcp_lambda_handler import MCPLambdaHandler

server = MCPLambdaHandler(name="peer", version="1.0.0")
# Made where AWS advises to make it; the functions that it is compared with have theirs at this point, too.
table = boto3.client("dynamodb")


@server.tool()
def greet(name: str) -> str:
    """Greet somebody.

    Args:
        name: Whom to greet.
    """
    return f"Hello, {name}."


def handler(event, context):
    return server.handle_request(event, context) if event else {}
