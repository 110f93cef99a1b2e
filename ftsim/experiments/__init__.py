"""Experiments: a question in a file, its cells, and how they are run and kept."""
