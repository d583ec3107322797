"""Lesson 05, from scores to a mixture."""
