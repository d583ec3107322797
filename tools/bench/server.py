"""A loopback server that compresses text as a web server does and counts what it sends."""

import gzip
import threading
from collections import namedtuple
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tools import loopback

# What a server compresses: text. Fonts (woff2) and pictures are compressed already.
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".ipynb": "application/json",
}
OTHERS = {
    ".woff2": "font/woff2", ".woff": "font/woff", ".ttf": "font/ttf", ".png": "image/png",
    ".ico": "image/x-icon",
}  # fmt: skip
PICTURES = {".svg", ".png", ".ico", ".jpg", ".gif", ".webp"}

Sent = namedtuple("Sent", "path status raw wire")  # bytes: uncompressed, as sent


class Handler(loopback.Handler):
    def do_GET(self):
        path = unquote(urlsplit(self.path).path)
        status, kind, raw, wire, packed = self.server.answer(path)
        self.server.sent.append(Sent(path, status, raw, len(wire)))
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(wire)))
        if packed:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(wire)


class CountingServer(loopback.Server):
    """Serves a folder; `.sent` lists what went out. `mounts` maps a first part of the path to
    another folder, for files that lie elsewhere."""

    def __init__(self, folder, mounts=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder = Path(folder).resolve()
        self.mounts = {k: Path(v).resolve() for k, v in (mounts or {}).items()}
        self.sent = []
        self.kept = {}

    def locate(self, path):
        """The file that a path names, or None."""
        for prefix, target in self.mounts.items():
            if path == prefix or path.startswith(f"{prefix}/"):
                root, rest = target, path[len(prefix) :].lstrip("/")
                break
        else:
            root, rest = self.folder, path.lstrip("/")
        found = (root / rest).resolve() if rest else root
        if found.is_dir():
            found = found / "index.html"
        inside = found == root or root in found.parents
        return found if inside and found.is_file() else None

    def answer(self, path):
        """(status, content type, uncompressed size, bytes to send, compressed?); made once."""
        if path not in self.kept:
            found = self.locate(path)
            if found is None:
                self.kept[path] = (404, "text/plain", 9, b"not found", False)
            else:
                data = found.read_bytes()
                kind = TYPES.get(found.suffix)
                wire = gzip.compress(data, 6, mtime=0) if kind else data
                kind = kind or OTHERS.get(found.suffix, "application/octet-stream")
                self.kept[path] = (200, kind, len(data), wire, wire is not data)
        return self.kept[path]


@contextmanager
def serving(folder, mounts=None):
    """Serve a folder while the block runs."""
    server = CountingServer(folder, mounts)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def is_picture(path):
    return Path(path).suffix.lower() in PICTURES
