"""Lesson 01, the card file: finding a card and taking what it holds."""
