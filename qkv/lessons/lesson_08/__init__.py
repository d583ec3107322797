"""Lesson 08, gradients: pulls by hand, the backward pass in code, values that pull nothing."""
