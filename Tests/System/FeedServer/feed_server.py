#!/usr/bin/env python3
"""A small server of timetables for the tests: files that a test puts there, and the report's web form.

Usage: feed_server.py PORT [ADDRESS ...] [--tls PORT CERTIFICATE]

It listens on 127.0.0.1, and on further addresses of this machine. The certificate's file has its key, too.

PUT /NAME keeps the body as a file; GET /NAME answers it with an ETag, or 304. GET /asked answers how often each
file was read in full, and GET /hits how many requests for other things came to each address. GET /bad/NAME answers
as no server should: empty, half, huge, bomb (compressed), million (events), slow (a byte a second), loop (of
redirects), or busy (429 for an hour); GET /to/ADDRESS redirects. GET /form is the form of figure 5.1 of the Bush House report (zone, rooms, weeks, days,
times, a hidden field and a cookie); POST /form answers the grid of figure 5.2 for what was chosen, or 400 when
anything of it is missing.
"""

import argparse
import gzip
import hashlib
import http.server
import json
import ssl
import threading
import time
import urllib.parse

FORM = """<html><head><title>View room timetables</title></head><body>
<form method="post" action="form?step=2">
<input type="hidden" name="state" value="s3cret">
<select name="zone"><option value="z0">All</option><option value="z1">z-Informatics</option></select>
<input type="text" name="filter" value="">
<select name="room" multiple><option value="r1">Bush House (S)6.01 (Lab)</option>
<option value="r2">Bush House (S)7.01/2/3 (Lab)</option></select>
<select name="weeks"><option value="t">This Week</option><option value="n">Next Week</option></select>
<select name="days"><option value="1-5">Week days</option><option value="1-7" selected>All Days</option></select>
<select name="period"><option value="3-22">08:00 - 18:00 (Day)</option></select>
<input type="radio" name="style" value="grid" checked> Grid <input type="radio" name="style" value="list"> List
<input type="submit" name="view" value="View Timetable">
</form></body></html>"""


def grid(room):
    times = "".join(f"<td>{half // 2}.{'30' if half % 2 else '00'}</td>" for half in range(16, 36))
    free = "<td>&nbsp;</td>"
    lecture = (
        '<td colspan="4">7CCSMBDT<br>BIG DATA<br>SEM2/Prac02<br>Ada Person<br>22-31<br>Practical</td>'
    )
    return f"""<html><body><p>Room(s): <b class="room">{room}</b></p>
<p>Weeks: 31 (30 Nov 2026-6 Dec 2026)</p>
<table><tr><td></td>{times}</tr><tr><td>Mon</td>{free * 20}</tr>
<tr><td>Tue</td>{free * 2}{lecture}{free * 14}</tr></table></body></html>"""


def million():
    """A calendar of a million events, in pieces."""
    yield b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test\r\n"
    for first in range(0, 1_000_000, 1_000):
        yield "".join(
            f"BEGIN:VEVENT\r\nUID:{number}\r\nDTSTART:20261201T080000Z\r\nEND:VEVENT\r\n"
            for number in range(first, first + 1_000)).encode()
    yield b"END:VCALENDAR\r\n"


def bomb():
    """A gigabyte of nothing, compressed to a megabyte."""
    return gzip.compress(b"\0" * (1 << 30), compresslevel=1)


class Handler(http.server.BaseHTTPRequestHandler):
    files = {}
    asked = {}
    hits = {}
    protocol_version = "HTTP/1.1"

    def do_PUT(self):
        self.files[self.path] = self.rfile.read(int(self.headers["content-length"]))
        self.answer(204, b"")

    def do_GET(self):
        path = self.path.split("?")[0]
        if path == "/asked":
            return self.answer(200, json.dumps(self.asked).encode())
        if path == "/hits":
            return self.answer(200, json.dumps(self.hits).encode())
        address = self.server.server_address[0]
        self.hits[address] = self.hits.get(address, 0) + 1
        if path.startswith("/bad/"):
            return getattr(self, "bad_" + path[5:])()
        if path.startswith("/to/"):
            return self.answer(302, b"", [("location", urllib.parse.unquote(self.path[4:]))])
        if path == "/form":
            return self.answer(200, FORM.encode(), [("set-cookie", "visit=42; path=/"), ("content-type", "text/html")])
        body = self.files.get(path)
        if body is None:
            return self.answer(404, b"")
        tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        if self.headers.get("if-none-match") == tag:
            return self.answer(304, b"", [("etag", tag)])
        self.asked[path] = self.asked.get(path, 0) + 1
        self.answer(200, body, [("etag", tag)])

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        fields = urllib.parse.parse_qs(body, keep_blank_values=True)
        wanted = {
            "state": ["s3cret"], "zone": ["z1"], "room": ["r2"], "weeks": ["t"], "days": ["1-7"],
            "period": ["3-22"], "style": ["grid"], "view": ["View Timetable"], "filter": [""],
        }
        cookie = "visit=42" in (self.headers.get("cookie") or "")
        if fields != wanted or not cookie or self.path != "/form?step=2":
            return self.answer(400, f"{fields} {cookie} {self.path}".encode())
        self.answer(200, grid("Bush House (S)7.01/2/3 (Lab)").encode(), [("content-type", "text/html")])

    def bad_empty(self):
        self.answer(200, b"")

    def bad_half(self):
        self.send_response(200)
        self.send_header("content-length", "100000")
        self.end_headers()
        self.wfile.write(b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
        self.close_connection = True

    def bad_huge(self):
        self.pieces(b"X" * 65_536 for _ in range(4_096))

    def bad_million(self):
        self.pieces(million())

    def bad_slow(self):
        self.pieces(self.slowly(b"BEGIN:VCALENDAR\r\n" * 100))

    def slowly(self, text):
        for byte in text:
            yield bytes([byte])
            time.sleep(1)

    def bad_bomb(self):
        self.answer(200, bomb(), [("content-encoding", "gzip")])

    def bad_loop(self):
        self.answer(302, b"", [("location", "/bad/loop")])

    def bad_busy(self):
        self.answer(429, b"", [("retry-after", "3600")])

    def pieces(self, pieces):
        """An answer of unknown length. The client may go when it has enough."""
        self.send_response(200)
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            for piece in pieces:
                self.wfile.write(piece)
        except OSError:
            pass

    def answer(self, status, body, headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        """A client that goes is no fault of the test."""


def listen(address, port, certificate=None):
    server = Server((address, port), Handler)
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()


parser = argparse.ArgumentParser()
parser.add_argument("port", type=int)
parser.add_argument("addresses", nargs="*")
parser.add_argument("--tls", nargs=2, metavar=("PORT", "CERTIFICATE"))
options = parser.parse_args()
for address in ["127.0.0.1", *options.addresses]:
    listen(address, options.port)
    if options.tls:
        listen(address, int(options.tls[0]), options.tls[1])
threading.Event().wait()
