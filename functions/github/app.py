"""Lambda entry point of the github namespace."""

from forge.wire.aws_lambda import lambda_handler

handler = lambda_handler(__package__)
