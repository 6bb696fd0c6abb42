"""Words that mean the same to whoever looks for a tool: each line begins with the words that it stands for.

Only words that are said for one thing: `open` is a state and an action, `report` a text and an action.
"""

MEANINGS = """
issue: ticket tickets task tasks bug bugs story todo
artifact: document documents doc docs runbook spec specs
label: tag tags tagging
picture: image images photo photos screenshot screenshots
cycle: cycles sprint sprints iteration iterations
agent: bot bots worker reviewer
relation: link links linked linking relate related depends depend dependency dependencies duplicate same
comment: reply replies discussion conversation thread remark say said says post posted wrote
list: all available browse find search look show which exist exists
get: read view display detail details
update: change changes changed edit edits modify rename rewrite correct typo adjust
delete: remove removes removing erase rid withdraw retract undo
create: add adds new make makes
archive: retire hide old outdated obsolete
status: state states column columns board workflow
transition: move moves moved moving reopen
watch: follow follows following follower subscribe subscriber subscription notify notified
notification: notifications alert alerts
stop watch: unwatch unsubscribe
delete relation: unlink
release claim: unclaim
queue: queued queueing line offer
stop: no longer more cease halt
claim: grab pick
kick: wake wakes woken nudge poke
complete: finish finished finishes submit wrap
recent: lately latest history activity feed happened yesterday today
usage: cost costs spend spent consumption
wait: waiting waits pause stuck
resume: continue carry
schema: parameter parameters argument arguments
bulk: several many batch multiple
context: background
time: hour hours minute minutes timer stopwatch clock timesheet track tracked tracking
note: memo memos scratchpad thought thoughts
journal: diary
self: myself yourself oneself
heartbeat: alive ping online
"""
