"""Attachments: files and links on issues, comments, projects, initiatives and cycles.

A file goes straight to storage: initUpload gives a URL that takes exactly that file, and finalize says that
it is there. Files come back by URL as well, or small ones inside an answer, for models that can't follow one.
"""
