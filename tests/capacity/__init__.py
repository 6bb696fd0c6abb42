"""What calls cost in DynamoDB's units, and where one workspace meets its limits."""
