"""What the pipeline's tools take and give. The contract's own tools speak snake_case."""
