"""HTTP on this machine alone: what the servers of the tests and of the bench have in common."""

import http.server


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves a folder over kept connections and says nothing about it."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def handle(self):
        try:
            super().handle()
        except (BrokenPipeError, ConnectionResetError):
            pass  # the browser closed the connection first


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}/"
