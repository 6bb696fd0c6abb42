"""Runtimes: the machines and services that agents run on, and whether they were heard of lately."""
