"""Lesson 05, from scores to a mixture: softmax, and what no query can change."""
