"""Lesson 01, the card file."""
