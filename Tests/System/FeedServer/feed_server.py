#!/usr/bin/env python3
"""A small server of timetables for the tests: files that a test puts there, and the report's web form.

Usage: feed_server.py PORT

PUT /NAME keeps the body as a file; GET /NAME answers it with an ETag, or 304. GET /asked answers how often each
file was read in full. GET /form is the form of figure 5.1 of the Bush House report (zone, rooms, weeks, days,
times, a hidden field and a cookie); POST /form answers the grid of figure 5.2 for what was chosen, or 400 when
anything of it is missing.
"""

import hashlib
import http.server
import json
import sys
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


class Handler(http.server.BaseHTTPRequestHandler):
    files = {}
    asked = {}
    protocol_version = "HTTP/1.1"

    def do_PUT(self):
        self.files[self.path] = self.rfile.read(int(self.headers["content-length"]))
        self.answer(204, b"")

    def do_GET(self):
        path = self.path.split("?")[0]
        if path == "/asked":
            return self.answer(200, json.dumps(self.asked).encode())
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

    def answer(self, status, body, headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
