"""Lesson 07, the causal mask: the mask, the masked read, a leak probe, paths through layers."""
