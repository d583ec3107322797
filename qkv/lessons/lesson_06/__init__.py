"""Lesson 06, the whole sequence: one function for all readers."""
