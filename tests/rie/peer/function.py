"""The peer: a function with one tool on awslabs.mcp-lambda-handler, and nothing else."""

from awslabs.mcp_lambda_handler import MCPLambdaHandler

server = MCPLambdaHandler(name="peer", version="1.0.0")


@server.tool()
def greet(name: str) -> str:
    """Greet somebody.

    Args:
        name: Whom to greet.
    """
    return f"Hello, {name}."


def handler(event, context):
    return server.handle_request(event, context) if event else {}
