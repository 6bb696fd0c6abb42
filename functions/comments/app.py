"""Lambda entry point of the comments namespace."""

from forge.wire.aws_lambda import lambda_handler
from functions.comments.tools import namespace

handler = lambda_handler(namespace)
