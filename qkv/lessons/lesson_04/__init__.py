"""Lesson 04, scores and scale."""
