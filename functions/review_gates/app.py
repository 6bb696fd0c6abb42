"""Lambda entry point of the review gates' namespace."""

from forge.wire.aws_lambda import lambda_handler

handler = lambda_handler(__package__)
