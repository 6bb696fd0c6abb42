"""Lambda entry point of the goals namespace."""

from forge.wire.aws_lambda import lambda_handler

handler = lambda_handler(__package__)
