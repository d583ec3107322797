"""Figures: one script each; `python -m figures` draws them."""
