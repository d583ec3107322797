"""Lesson 04, scores and scale: which width goes under the root, and what it takes for granted."""
