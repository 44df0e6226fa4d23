"""A server between the browser and the service: it can be away, slow, or put markup into names."""

import collections
import gzip
import http.server
import json
import pathlib
import random
import threading
import time
import urllib.error
import urllib.request

import own_network

# What a stranger could have given as a name. If any of it ran, `window.hit` would be set.
MARKUP = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>'
KINDS = {".js": "text/javascript", ".css": "text/css", ".json": "application/json",
         ".svg": "image/svg+xml", ".png": "image/png"}
LEFT_OUT = {"host", "connection", "content-length", "accept-encoding", "origin", "referer"}


class Quiet(http.server.ThreadingHTTPServer):
    """A browser that leaves a page leaves its requests: that is no fault."""

    request_queue_size = 128

    def handle_error(self, request, client_address):
        pass


class Between:
    """Serves on a free port and forwards to `base`.

    `away` is a prefix of paths that answer 502, `seconds` is how long each answer of the API waits,
    `held` is a prefix whose answers wait until it is another one or none, `marked` puts markup into all
    names. `outages` and `located` are answers in place of the service's, as are `answers` by their paths, which
    have the method before them unless it is GET; None is an answer without content (204).
    `lost` says how many answers of a path break off, as when a phone changes from one network to another.
    `posted` has the last body for each path, `asked` how often each path was answered, and `failed`
    what was refused or could not be reached. `before` is a script that runs in each page first: for
    browsers that have no call for that. With `hasty` off each answer is late by up to two seconds.
    """

    all: dict[str, "Between"] = {}
    """Each by its address."""

    def __init__(self, base: str, hasty: bool = True):
        self.base = base.rstrip("/")
        self.hasty = hasty
        self.away: str | None = None
        self.held: str | None = None
        self.seconds = 0.0
        self.marked = False
        self.before = ""
        self.outages: list[dict] | None = None
        self.located: dict | None = None
        self.answers: dict[str, dict | None] = {}
        self.lost: dict[str, int] = {}
        self.posted: dict[str, bytes] = {}
        self.asked: collections.Counter = collections.Counter()
        self.failed: list[str] = []
        # The app's files by path: each page has an empty cache, and they are the same for all.
        self.files: dict[str, tuple] = {}
        # A folder whose files are the app's in place of the service's; the staff's app lies beside it.
        self.folder: pathlib.Path | None = None
        # Streams of events that are open: they end when the service goes away.
        self.streams: set = set()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def answer(self):
                outer.forward(self)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = answer

        self.server = Quiet(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"
        Between.all[self.address] = self
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        # The service is in the machine's network; the browser may be in another one.
        own_network.enter_machine()
        self.server.serve_forever()

    def plain(self) -> None:
        self.away, self.seconds, self.marked, self.outages = None, 0.0, False, None
        self.located, self.held = None, None
        self.answers, self.posted, self.failed, self.lost = {}, {}, [], {}
        self.asked.clear()

    def leave(self, prefix: str) -> None:
        """From now on the service is away, and what it was sending breaks off."""
        self.away = prefix
        for stream in list(self.streams):
            stream.close()

    def until_asked(self, path: str, times: int = 1, seconds: float = 60.0) -> None:
        """Waits until a path was answered so often."""
        end = time.monotonic() + seconds
        while self.asked[path] < times:
            if time.monotonic() > end:
                raise AssertionError(f"{path} was answered {self.asked[path]} times in {seconds} s")
            time.sleep(0.03)

    def until_posted(self, path: str, seconds: float = 60.0, **members) -> dict:
        """The last body for a path, as soon as it has these members."""
        end = time.monotonic() + seconds
        while True:
            body = json.loads(self.posted.get(path, b"{}"))
            if path in self.posted and all(body.get(key) == one for key, one in members.items()):
                return body
            if time.monotonic() > end:
                raise AssertionError(f"{path} was not asked with {members}, but {body}")
            time.sleep(0.03)

    def forward(self, handler) -> None:
        size = int(handler.headers.get("content-length") or 0)
        body = handler.rfile.read(size) if size else None
        path = handler.path
        if body is not None:
            self.posted[path.split("?")[0]] = body
        if path == "/before.js" and self.before:
            script = [("content-type", "text/javascript")]
            return self.send(handler, 200, self.before.encode(), script)
        if not self.hasty:
            time.sleep(random.random() ** 3 * 2)
        if self.away is not None and path.startswith(self.away):
            return self.send(handler, 502, b"{}", [("content-type", "application/problem+json")])
        if path.startswith("/v1/"):
            time.sleep(self.seconds)
        while self.held is not None and path.startswith(self.held):
            time.sleep(0.03)
        if self.lost.get(path.split("?")[0], 0) > 0:
            self.lost[path.split("?")[0]] -= 1
            return self.break_off(handler)
        name = path.split("?")[0]
        name = name if handler.command == "GET" else f"{handler.command} {name}"
        if name in self.answers:
            if self.answers[name] is None:
                return self.send(handler, 204, b"", [])
            told = json.dumps(self.answers[name]).encode()
            return self.send(handler, 200, told, [("content-type", "application/json")])
        if self.outages is not None and path.startswith("/v1/outages"):
            listed = json.dumps({"outages": self.outages, "next": None}).encode()
            return self.send(handler, 200, listed, [("content-type", "application/json")])
        if self.located is not None and path == "/v1/locate":
            told = json.dumps(self.located).encode()
            return self.send(handler, 200, told, [("content-type", "application/json")])
        sent = {name: value for name, value in handler.headers.items()
                if name.lower() not in LEFT_OUT}
        own = self.folder and path.startswith("/app/") and self.own_file(path.split("?")[0][5:])
        # The manifest is the service's: it names the site.
        if own and own.suffix in KINDS and own.is_file():
            return self.send(handler, 200, own.read_bytes(), [
                ("content-type", KINDS[own.suffix]), ("service-worker-allowed", "/"),
                ("cache-control", "no-cache")])
        is_file = path.startswith("/app/") and "if-none-match" not in handler.headers
        if is_file and path in self.files:
            return self.send(handler, *self.files[path])
        wish = urllib.request.Request(
            self.base + path, data=body, method=handler.command, headers=sent)
        try:
            answer = urllib.request.urlopen(wish, timeout=60)
        except urllib.error.HTTPError as error:
            answer = error
        except OSError:
            return self.send(handler, 502, b"{}", [("content-type", "application/problem+json")])
        if (answer.headers.get("content-type") or "").startswith("text/event-stream"):
            return self.stream(handler, answer)
        data = answer.read()
        headers = [(name, value) for name, value in answer.headers.items()
                   if name.lower() not in {"content-length", "transfer-encoding", "connection"}]
        kind = answer.headers.get("content-type") or ""
        if self.marked and "json" in kind and path.startswith("/v1/sites"):
            if answer.headers.get("content-encoding") == "gzip":
                data = gzip.decompress(data)
                headers = [one for one in headers if one[0].lower() != "content-encoding"]
            data = json.dumps(mark(json.loads(data))).encode()
        if is_file and answer.status == 200 and handler.command == "GET":
            self.files[path] = (200, data, headers)
        if self.before and kind.startswith("text/html"):
            data = data.replace(b"<head>", b'<head><script src="/before.js"></script>', 1)
        self.send(handler, answer.status, data, headers)

    def own_file(self, name: str) -> pathlib.Path:
        staff = name.removeprefix("staff/")
        return self.folder / name if staff == name else self.folder.parent / "staff" / staff

    def stream(self, handler, answer) -> None:
        """Passes events on as they come."""
        self.streams.add(answer)
        self.asked[handler.path.split("?")[0]] += 1
        handler.close_connection = True
        try:
            handler.send_response(answer.status)
            handler.send_header("content-type", "text/event-stream")
            handler.send_header("cache-control", "no-store")
            handler.end_headers()
            while line := answer.readline():
                handler.wfile.write(line)
                handler.wfile.flush()
        except (OSError, ValueError, AttributeError):
            # The page was left, or the service went away.
            pass
        finally:
            self.streams.discard(answer)
            answer.close()

    @staticmethod
    def break_off(handler) -> None:
        """Half an answer: a browser asks again by itself where not a byte came."""
        kind = KINDS.get(pathlib.Path(handler.path.split("?")[0]).suffix, "application/json")
        try:
            handler.send_response(200)
            handler.send_header("content-type", kind)
            handler.send_header("content-length", "1000")
            handler.end_headers()
            handler.wfile.write(b" ")
        except OSError:
            pass
        handler.close_connection = True

    def send(self, handler, status: int, data: bytes, headers: list) -> None:
        path = handler.path.split("?")[0]
        if status >= 400:
            self.failed.append(f"{handler.command} {handler.path}: {status} {data[:200]!r}")
        self.asked[path] += 1
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
