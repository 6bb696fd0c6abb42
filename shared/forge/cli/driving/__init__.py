"""Driving a pipeline from a program: the loop, the agents that it starts, and a person at a terminal."""
