"""Lesson 03, projections: three matrices give one vector three roles."""
