"""Lesson 02, a request from inside the sentence."""
