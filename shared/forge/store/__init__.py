"""DynamoDB, S3 and SQS: the only place that speaks to them."""
