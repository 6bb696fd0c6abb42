"""Cycles, also known as sprints: what is planned for which stretch of time. One of them may be current."""
