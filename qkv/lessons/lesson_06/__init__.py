"""Lesson 06, the whole sequence."""
