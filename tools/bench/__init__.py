"""Measure the book: `make bench` prints one table and writes _build/bench.json.

server   a loopback server that compresses as a web server does and counts what it sends
tree     a copy of the working tree, to build in and to change
builds   how long `make book` takes: from nothing, with nothing changed, with one lesson changed
stock    the same notebooks through plain Jupyter Book, its CDN files served from loopback
pages    each lesson page's weight, requests, and time until its widgets answer
keys     key press → painted update, on the static page and in JupyterLab with a kernel
lab      a JupyterLab of its own for that
report   percentiles, targets, the table
"""
