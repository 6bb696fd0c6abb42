"""Successful calls, a module for each group of namespaces; every module has SAMPLES."""
