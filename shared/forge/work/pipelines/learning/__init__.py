"""What pipelines leave for later ones: findings of reviews, friction, and what they were about."""
