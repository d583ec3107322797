"""Percentiles, targets and the table."""

import statistics

# What the book promises. Times hold on a quiet machine.
GZIP, REQUESTS, RAW = 260_000, 25, 1_500_000  # bytes, requests, bytes
SHARE, SPEED = 1 / 8, 1 / 3  # of the stock pipeline's bytes and time
KEYS = {3: 20, 16: 20, 64: 33}  # p95 in ms at n positions
BOOK = 30  # seconds


def percentile(values, q):
    """The q-th percentile (0 … 100), linear between neighbours."""
    if not values:
        raise ValueError("percentile: expected at least one value, got none")
    ordered = sorted(values)
    place = (len(ordered) - 1) * q / 100
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def target(what, value, limit, unit, digits=0):
    """One promise: what was measured, what is wanted, and whether it is met."""
    return {
        "what": what, "value": value, "limit": limit, "unit": unit, "digits": digits,
        "met": value <= limit,
    }  # fmt: skip


def page_targets(name, ours, stock):
    yield target(f"{name}: gzip bytes", ours["gzip"] / 1e3, GZIP / 1e3, "kB")
    yield target(f"{name}: uncompressed", ours["raw"] / 1e6, RAW / 1e6, "MB", 2)
    yield target(f"{name}: requests", ours["requests"], REQUESTS, "")
    yield target(f"{name}: outside requests", ours["outside"], 0, "")
    yield target(f"{name}: missing files", ours["missing"], 0, "")
    yield target(f"{name}: gzip bytes / stock", ours["gzip"] / stock["gzip"], SHARE, "", 3)
    if ours["all_ms"] and stock["all_ms"]:
        yield target(f"{name}: time / stock", ours["all_ms"] / stock["all_ms"], SPEED, "", 3)


def key_targets(keys):
    for n, limit in KEYS.items():
        for what in ("reader", "number"):
            p95 = percentile(keys[n][what], 95)
            yield target(f"n = {n}, {what}: p95", p95, limit, "ms", 1)


def build_targets(builds):
    for what, seconds in builds.items():
        yield target(f"make book, {what}", statistics.median(seconds), BOOK, "s", 1)


def targets(result):
    """Every promise that the result can be held to."""
    for name, page in result.get("pages", {}).items():
        yield from page_targets(name, page["book"], page["stock"])
    if "keys" in result:
        yield from key_targets(result["keys"])
    if "builds" in result:
        yield from build_targets(result["builds"])


def columns(rows):
    """Rows of cells as aligned text: the first column to the left, the rest to the right."""
    widths = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))]
    for row in rows:
        cells = [cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True)]
        yield "  ".join([row[0].ljust(widths[0]), *cells]).rstrip()


def of_pages(pages):
    head = ["page", "", "gzip kB", "raw MB", "requests", "pictures", "outside", "404", "widgets",
            "answer ms"]  # fmt: skip
    rows = [head]
    for name, page in pages.items():
        for who in ("book", "stock"):
            p = page[who]
            rows.append([
                name if who == "book" else "", who, f"{p['gzip'] / 1e3:.0f}",
                f"{p['raw'] / 1e6:.2f}", str(p["requests"]), str(p["pictures"]),
                str(p["outside"]), str(p["missing"]), str(p["widgets"]),
                "-" if p["all_ms"] is None else f"{p['all_ms']:.0f}",
            ])  # fmt: skip
    return rows


def of_keys(keys):
    rows = [["key press → paint", "p50 ms", "p95 ms", "presses"]]
    names = {
        "reader": "page, reader's slider",
        "number": "page, a number of X",
        "interact": "JupyterLab, interact",
    }
    for n in KEYS:
        for what, words in names.items():
            if what in keys[n]:
                rows.append([f"n = {n}: {words}", *times(keys[n][what])])
    rows.append(["an empty page, one number", *times(keys["empty"])])
    return rows


def times(values):
    return [f"{percentile(values, q):.1f}" for q in (50, 95)] + [str(len(values))]


def of_builds(builds):
    rows = [["make book", "median s", "runs"]]
    for what, seconds in builds.items():
        rows.append([what, f"{statistics.median(seconds):.1f}", str(len(seconds))])
    return rows


def of_targets(found):
    rows = [["target", "measured", "wanted", ""]]
    for t in found:
        form = f".{t['digits']}f"
        rows.append([
            t["what"], f"{t['value']:{form}} {t['unit']}".strip(),
            f"≤ {t['limit']:{form}} {t['unit']}".strip(), "met" if t["met"] else "NOT MET",
        ])  # fmt: skip
    return rows


def table(result):
    """The whole result as text."""
    parts = [f"{result['machine']}"]
    for key, rows_of in (("pages", of_pages), ("keys", of_keys), ("builds", of_builds)):
        if key in result:
            parts.append("\n".join(columns(rows_of(result[key]))))
    parts.append("\n".join(columns(of_targets(result["targets"]))))
    return "\n\n".join(parts)
