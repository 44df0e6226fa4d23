"""A server between the browser and the service: it can be away, slow, or put markup into names."""

import gzip
import http.server
import json
import threading
import time
import urllib.error
import urllib.request

# What a stranger could have given as a name. If any of it ran, `window.hit` would be set.
MARKUP = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>'
LEFT_OUT = {"host", "connection", "content-length", "accept-encoding", "origin", "referer"}


class Quiet(http.server.ThreadingHTTPServer):
    """A browser that leaves a page leaves its requests: that is no fault."""

    request_queue_size = 128

    def handle_error(self, request, client_address):
        pass


class Between:
    """Serves on a free port and forwards to `base`.

    `away` is a prefix of paths that answer 502, `seconds` is how long each answer of the API waits,
    `marked` puts markup into all names. `outages` and `located` are answers in place of the service's,
    as are `answers` by their paths. `lost` says how many answers of a path break off, as when a phone
    changes from one network to another; a path in `held` waits for its event.
    `posted` has the last body for each path.
    """

    def __init__(self, base: str):
        self.base = base.rstrip("/")
        self.away: str | None = None
        self.seconds = 0.0
        self.marked = False
        self.outages: list[dict] | None = None
        self.located: dict | None = None
        self.answers: dict[str, dict] = {}
        self.posted: dict[str, bytes] = {}
        self.lost: dict[str, int] = {}
        self.held: dict[str, threading.Event] = {}
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def answer(self):
                outer.forward(self)

            do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = answer

        self.server = Quiet(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def plain(self) -> None:
        self.away, self.seconds, self.marked, self.outages = None, 0.0, False, None
        self.located = None
        self.answers, self.posted, self.lost, self.held = {}, {}, {}, {}

    def forward(self, handler) -> None:
        size = int(handler.headers.get("content-length") or 0)
        body = handler.rfile.read(size) if size else None
        path = handler.path
        if body is not None:
            self.posted[path.split("?")[0]] = body
        if path.split("?")[0] in self.held:
            self.held[path.split("?")[0]].wait(60)
        if self.lost.get(path.split("?")[0], 0) > 0:
            self.lost[path.split("?")[0]] -= 1
            return self.break_off(handler)
        if self.away is not None and path.startswith(self.away):
            return self.send(handler, 502, b"{}", [("content-type", "application/problem+json")])
        if path.startswith("/v1/"):
            time.sleep(self.seconds)
        if handler.command == "GET" and path.split("?")[0] in self.answers:
            told = json.dumps(self.answers[path.split("?")[0]]).encode()
            return self.send(handler, 200, told, [("content-type", "application/json")])
        if self.outages is not None and path.startswith("/v1/outages"):
            listed = json.dumps({"outages": self.outages, "next": None}).encode()
            return self.send(handler, 200, listed, [("content-type", "application/json")])
        if self.located is not None and path == "/v1/locate":
            told = json.dumps(self.located).encode()
            return self.send(handler, 200, told, [("content-type", "application/json")])
        sent = {name: value for name, value in handler.headers.items()
                if name.lower() not in LEFT_OUT}
        wish = urllib.request.Request(
            self.base + path, data=body, method=handler.command, headers=sent)
        try:
            answer = urllib.request.urlopen(wish, timeout=60)
        except urllib.error.HTTPError as error:
            answer = error
        except OSError:
            return self.send(handler, 502, b"{}", [("content-type", "application/problem+json")])
        data = answer.read()
        headers = [(name, value) for name, value in answer.headers.items()
                   if name.lower() not in {"content-length", "transfer-encoding", "connection"}]
        kind = answer.headers.get("content-type") or ""
        if self.marked and "json" in kind and path.startswith("/v1/sites"):
            if answer.headers.get("content-encoding") == "gzip":
                data = gzip.decompress(data)
                headers = [one for one in headers if one[0].lower() != "content-encoding"]
            data = json.dumps(mark(json.loads(data))).encode()
        self.send(handler, answer.status, data, headers)

    @staticmethod
    def break_off(handler) -> None:
        """Half an answer: a browser asks again by itself where not a byte came."""
        try:
            handler.send_response(200)
            style = handler.path.endswith(".css")
            handler.send_header("content-type", "text/css" if style else "text/javascript")
            handler.send_header("content-length", "1000")
            handler.end_headers()
            handler.wfile.write(b" ")
        except OSError:
            pass
        handler.close_connection = True

    @staticmethod
    def send(handler, status: int, data: bytes, headers: list) -> None:
        try:
            handler.send_response(status)
            for name, value in headers:
                handler.send_header(name, value)
            handler.send_header("content-length", str(len(data)))
            handler.end_headers()
            if handler.command != "HEAD":
                handler.wfile.write(data)
        except OSError:
            pass


def mark(value):
    """The same JSON with markup at the end of each name, address, telephone and opening hours."""
    if isinstance(value, list):
        return [mark(one) for one in value]
    if not isinstance(value, dict):
        return value
    named = {"name", "address", "telephone", "openingHours", "level"}
    return {key: one + MARKUP if key in named and isinstance(one, str) else mark(one)
            for key, one in value.items()}
