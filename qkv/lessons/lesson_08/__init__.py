"""Lesson 08, gradients."""
