"""Lesson 02, a request from inside the sentence: who reads, and what is read."""
