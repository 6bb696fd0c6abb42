"""Find, read and call any tool, however many there are, through three that fit in every list.

A client that lists only the default profile reaches everything else from here.
"""
