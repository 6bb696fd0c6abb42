"""The words that people use who look for a tool, as data: what means the same, and what says nothing.

MEANINGS has lines `meaning: said, said, …`. A meaning of several words stands for all of them together; what
is said may have several words too, and the longest that fits counts. What stands on several lines may mean
either. Each is understood in all its regular forms. New words belong to the concept that they name; a phrase
that fits only one tool belongs to that tool's `asks`, or to infra/sayings.txt.
"""

MEANINGS = """
issue: ticket, task, bug, story, todo, to do, to dos, work item, card, defect, incident, problem, chore
issue: subtask, feature, bug report, case, request for change, item, work package, assignment, job
issue: piece of work, error, fault, glitch, outage, malfunction
artifact: document, documentation, doc, runbook, spec, specification, design doc, paper, guide, write up
artifact: findings, wiki page, postmortem, post mortem, knowledge, knowledge base, decision record, manual
artifact: article, handbook
file: attachment, screenshot, picture, image, photo, pdf, zip, log file, text file, bytes, diagram, video
file: csv, log, recording, archive file, spreadsheet, material
label: tag, category, categorize, untag
cycle: sprint, iteration, two weeks, fortnight, timebox
agent list: who can, who could, who is able
agent: bot, worker, reviewer, planner, tester, ai, robot, specialist, expert, coder, developer, assistant
crew: team of agents, team, squad, group of agents
person: human, user, operator, somebody, someone, anybody, anyone, colleague, teammate, boss
person: product owner, customer, reporter, owner, manager, lead, reviewer, stakeholder
relation: link, relate, depend, dependency, duplicate, same, belongs together, tie, prerequisite, chain
relation: must come first, come first
block: blocker, holding up, prevent, in the way, can't start, prerequisite, waiting on, depends on
block: holding it up
comment: reply, discussion, conversation, thread, remark, say, post, response, message, respond, word
comment: feedback, drop a line, explain
chat: conversation, message, dm, direct message, thread, talk
current: right now, at the moment, under way, are we in, presently, ongoing
run: running, execution, attempt, session, job
assign: assigned, assignee, assignment, delegate, give to, owner, put on, in charge, responsible
poll: survey, ballot, vote among
vote: ballot, cast
request: proposal, suggestion, recommendation, question, propose, recommend, suggest, ask
approve: approval, sign off, permission, ok, allow, agree, permit, go ahead, confirm, consent, bless
approve: thumbs up, confirmation, authorize, authorise
goal: objective, aim, okr, target, achieve, reach
result: outcome, output
priority: important, importance, urgency, critical, severity, pressing
title: headline, summary line, heading
my: mine, for me, to me, on my plate, on my desk, do i have, have i got, belong to me
report: reporter
gate: checkpoint, sign off, inspection, stop point
step: steps of a plan
runtime: machine, host, runner, daemon, computer, laptop, vm, container, box, node
repository: repo, codebase
pull request: pr, merge request
lock: lease
phase: stage
initiative: theme, strategic, strategy, programme, big picture
project: epic
time: hour, minute, timer, stopwatch, clock, timesheet, track, time tracking, worklog, work log, effort
time: clock in, clock out, working time
note: memo, scratchpad, thought, jot, remember, write down for myself, keep in mind, scribble
note: remind myself
journal: diary, daily log
pin: favourite, favorite, bookmark, star, on top
notification: alert, mail, email
workspace: organisation, organization, tenant, team settings
status: state, column, board, workflow
tool: function, command, method, operation, endpoint, api, call
event recent: what changed, who changed, who closed, who edited, who moved, who deleted, who did
event recent: changed by, what happened, what is new
event: activity, news, happen, history, changelog, change log, audit trail, feed, going on, miss, trace
event: log of changes, catch me up
recent: lately, latest, activity, feed, news, today, since, last night, this morning
usage: cost, spend, consumption, token, dollar, money, burn, budget, expensive, price, expense, fee
capability: skill, permission, allowed to, good at, knows, specialist, specialized
standup: stand up, daily meeting, daily report, daily scrum
summary: statistics, stats, number, figure, metric, dashboard, throughput, velocity, kpi, productive
summary: total, sum up, sum, how many in all, slower, faster, trend, count, performance
bill: billable, invoice
list: is there a, is there any, are there any, all, available, browse, find, search, look, show, which
list: exist, every, overview, filter, query, scroll, leaf through, scan, look through, do we have
list: what do we have
get: give me the, let me see, read, view, display, detail, fetch, open, tell me about, look at, content
get: inspect, pull up, examine, info, information, consist
update: change, edit, modify, rename, rewrite, correct, typo, adjust, fix a typo, revise, reword, extend
update: set, overwrite, amend, expand, bump, append, better, improve, replace, shift, alter, swap, enlarge
update: prolong
delete: remove, erase, purge, wipe, scrap, rid, get rid of, withdraw, retract, undo, take away, take back
delete: throw away, take off, throw out, bin, trash, drop the, clear
create: open a, open a new, log a, note a, write a, draw up, add, new, make, file a, set up, define
create: introduce, raise a, start a new, form, draft a, deposit, launch a, propose, build, outline, enter
create: compose, write a new
archive: retire, hide, old, outdated, obsolete, put away, put aside, out of date, stale, discard, dissolve
archive: disband, wind up, close down, no longer valid, not valid any more, mothball, bin, shelve
archive: served its purpose, not used any more
transition: move, reopen, close, mark, mark as, cancel, set state, put on hold, resolve, drag, declare
transition: throw out, invalid, solve, came back, open it again, put back to, set to, in progress
transition: to in progress, in review
watcher: subscriber, follower, who follows, who watches, who is subscribed, who is following
watcher: who is watching
watch: follow, watcher, subscribe, subscription, notify, notify me, keep an eye on, keep me posted
watch: keep me informed, hear of, hear about, stay informed, tell me when, let me know when
watch: be in the loop, in the loop, alert me, updates about, want updates
stop watch: unwatch, unsubscribe, mute, stop sending me, spamming, no more updates, unfollow
delete relation: unlink, disconnect, not related, no longer blocked, not blocked any more
delete relation: no longer depends
release: unclaim, undo my claim, not want this, return to the pool, give back, hand back, put back, let go
release: drop, free, return, give up, without finishing, stop holding
queue: offer, enqueue, waiting line, up for grabs, work queue, ready for, dispatcher, dispatch, hand out
queue: pick up by anybody
stop: no longer, no more, not any more, cease, halt, end, pause, not anymore
claim: grab, pick, pick up, take, reserve, self assign, get started on, take on, something to do
claim: something to work on, next thing, what next, do next, work on next, dibs, get me a, fresh
claim: i will do, i'll work on
reassign: hand over, pass on, transfer, escalate, hand off, pass it, someone else, somebody else
reassign: another agent, forward, swap the agent, hand to another, to another agent, specialist
kick: wake, nudge, poke, remind, prod, silent, asleep, quiet, hang, does not answer, unresponsive, push
kick: not responding, not answering, does not respond, stalled, frozen
complete: finish, submit, wrap, wrap up, deliver, hand in, done, i am done, finalize, conclude, accomplish
complete: close out, through with, mission
pending: waiting for, is waiting, are waiting, waits, unanswered, outstanding, undecided
wait: pause, stuck, until, waiting for, hold on, blocked, park, hit a wall, on hold
resume: no longer blocked, not blocked any more, unblocked, continue, carry on, go on, going on, proceed
resume: back at work, keep going, active again, back to active, go back to, blocker is gone
resume: not blocked any longer, work again, can work again
schema: parameter, argument, input schema, help on, how do i call, how do i use, mandatory, required
schema: man page, fields
bulk: several, many, batch, multiple, at once, in one go, bunch, mass, a lot of, all these, sweep
bulk: these issues
context: background, brief, everything i need, everything about, prepare, read up on, relevant, know about
context: need to know, have to know, full context, all information
self: myself, yourself, oneself, private, for myself, to myself
heartbeat: alive, ping, online, keep alive, still here, sign of life, still there, presence
heartbeat: up and running, i am available, available for work
progress: how far, half way, halfway, percent, how it is going, how is it going, how it goes, where i am
progress: status update, status report, interim, heads up, still on it, currently, where i stand, so far
progress: remaining, left
accept: yes, approve, grant, say yes, agree, go ahead, consent, thumbs up, green light, authorize
accept: authorise, confirm
decline: reject, refuse, deny, turn down, disapprove, say no, no to, veto, thumbs down, forbid, disagree
decline: do not agree, don't agree
verdict: judgement, pass, fail, good enough, check, evaluate, redo, rejected, good, bad
judge: evaluate, review, reviewer, second opinion, opinion, assess
decompose: break down, split, break, work out, smaller pieces, divide, into steps, derive, another try
activate: begin, start, launch, let run, kick off, execute, fire up, get going, run the plan
activate: set in motion
start time: track my time, track time, clock in
start: begin, commence, kick off, launch
abandon: give up, abort, drop, not wanted, no longer want, call off, kill, cancel
import: bring in, bring over, copy over, pull in, copy
sync: refresh, synchronize, up to date, reload
rollover: roll over, carry over, carry, leftover, unfinished, left over
register: enrol, enroll, connect, new machine
configure: settings of, config, configuration, setting, set up
promote: turn into, convert, permanent, make a document of
download: save to disk
upload: attach, attach a file, put a file
inline: look at the picture, see the image, view the image, what is written in, what is in the
draft: stream, typing, partial
chunk: piece, next words, next tokens, partial
snooze: later, put off, tomorrow, next week, postpone
renew: extend, prolong, longer, more time, keep the lock
force: steal, override, take over, crashed, dead
time log: retroactively, afterwards, after the fact
stop time: clock out, switch off
remaining: left, leftover, rest
parse: decode, take apart, split the url
identity: who am i, whoami, who i am, which agent am i, my identity
finalize: has been uploaded, is uploaded, been sent, are sent
run list: who is working, who works, is working on
"""

SAYING_NOTHING = """
a am an and are as at be been by can could did do does for from had has have how i if in is it its i'm
i've let me of off on or our please shall should so that the their them then there these they this those
to want about any some up us was we were what will with would you your i'd like need it's there's when who
whom whose why just him her his
"""

# By what they are forms of; a word that is its own is none of what it looks like: `running` is no `run`.
IRREGULAR = """
a: an; note: note notes noted noting; state: state states stated; use: use uses used using; take: took
taken; give: gave given; write: wrote written; make: made; do: did; done: done; hold: held; spend: spent;
find: found; go: went gone; say: said; send: sent; leave: left; begin: began begun; run: ran; get: got;
keep: kept; choose: chose chosen; break: broke broken; know: known; see: saw seen; hear: heard; tell:
told; build: built; pay: paid; forget: forgot; person: people; running: running; assigned: assigned; news:
news; during: during
"""

# How somebody begins who wants to know something, and who wants something done or says that it is.
ASKING = """
what what's which who who's whose whom where when why how is are was were did does do has have had am any
show list see view find search look read display tell browse get fetch check my our all current latest
recent available past details overview status results whoami anything something whats
"""
DOING = """
i i'm i've add append make create new open file raise write put set change edit rename move mark close
cancel reopen remove delete drop take grab claim pick give hand pass send assign delegate release free
unlock lock start begin stop end finish complete submit deliver report record log save store upload attach
link connect unlink pin unpin mute follow watch subscribe unsubscribe approve accept reject decline vote
ask request let keep extend renew carry bring import copy turn convert archive hide retire rewrite fix
correct update modify break split activate run execute invoke call wake poke nudge kick post reply answer
comment leave tag label register plan schedule fill reset clear abort abandon withdraw dismiss snooze
continue resume pause insert require go this that it don't not no they these we're he she nobody other got
job declare escalate forward transfer return hold park rate judge define introduce form build notify
silence seize steal force prolong refresh sync reload publish draft jot remember note book track clock
disband dissolve enrol enroll configure tune adjust wipe purge erase say respond confirm grant allow deny
refuse veto choose select cast propose recommend suggest seek promote lower resolve shift swap tie fire
launch explain amend retract
"""

# What is said of more than one thing, besides plurals.
MANY = """
which who all every any list are there many other find search browse
"""
