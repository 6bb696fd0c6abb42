"""The product as it is installed from a wheel, in an environment that has nothing else."""
