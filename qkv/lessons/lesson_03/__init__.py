"""Lesson 03, projections."""
