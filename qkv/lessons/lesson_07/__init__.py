"""Lesson 07, the causal mask."""
