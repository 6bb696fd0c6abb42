"""Lambda entry point of the gateway namespace; deployed inside the router, which can reach every tool."""

from forge.wire.aws_lambda import lambda_handler

handler = lambda_handler(__package__)
