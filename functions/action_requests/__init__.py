"""Action requests: precise questions and proposals that a person settles with a yes, a no or a vote.

An agent says what it needs decided, or what should happen to an issue. Accepting a proposal makes the change
it names in the same moment; an answer to a question reaches the agent that asked as a comment.
"""
