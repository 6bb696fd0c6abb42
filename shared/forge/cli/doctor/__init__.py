"""`forge doctor`: what of a deployment is well, what is not, and what to do about it.

A module for each subject has its facts, a reader that gets them from AWS, and a rule: facts in, findings out.
"""
