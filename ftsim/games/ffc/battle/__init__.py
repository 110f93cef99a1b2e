"""Whole battles: one trial is one kernel, made of a kernel a phase, in the order of the rules."""
