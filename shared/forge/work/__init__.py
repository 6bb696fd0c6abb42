"""What the namespaces share, on nine floors; each imports only those below it.

background   what nobody waits for
overviews    what shows many things at once
pipelines    the spec-driven engine
plans        goals, plans, and what people are asked
backlog      what is next in a repository, and who has it
content      what people and agents write, attach and group
issues       issues, and who works on them
workspace    who and where
record       the log, texts and search
"""
