"""Query, Key, Value: attention you can run, drag and check.

`import qkv` needs NumPy alone. What needs more (the PyTorch twins, the widgets) is imported
when it is first used.
"""
__version__ = "0.1.0"
