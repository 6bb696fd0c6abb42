"""Issues: units of work, who has them and how they stand.

Agents look with `issues.list`, take the best free one with `issues.claim {}`, and move it with
`issues.transition`. Wherever an issue's id is due, its identifier such as `DEMO-12` does as well.
"""
