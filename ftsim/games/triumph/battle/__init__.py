"""Whole battles on lanes: an abstraction of the table, one trial one compiled function."""
