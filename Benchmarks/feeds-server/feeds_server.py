#!/usr/bin/env python3
"""The server of `benchmark feeds`: 1,000 calendars of 60 kB on 50 addresses of this machine, over TLS.

    feeds_server.py PORT CERTIFICATE

GET /CLIENT/NUMBER answers a calendar. Each client has its own state: a tenth of the calendars changes
between two of its requests, by one event that moves, and a tenth has no ETag. POST /CLIENT/NUMBER/WORD
changes the first event's title to WORD at once, and GET /CLIENT/counts tells the requests, the answers in
full and the changes among them. It prints a line when it listens.
"""

import datetime
import http.server
import json
import ssl
import sys
import threading

HOSTS = 50
EVENTS = 128
# With the lines that calendars have besides what a timetable needs.
DESCRIPTION = "Please bring your own laptop and a charger. " * 4


class Calendars:
    """The calendars as one client sees them."""

    def __init__(self):
        self.lock = threading.Lock()
        self.asked = {}
        self.words = {}
        self.counts = {"requests": 0, "full": 0, "changed": 0}
        # The text of the middle of each, which does not change.
        self.rests = {}
        self.served = {}

    def version(self, number):
        with self.lock:
            self.counts["requests"] += 1
            asked = self.asked[number] = self.asked.get(number, -1) + 1
            # Each calendar changes at each tenth request, and at each a tenth of all.
            return (asked + number) // 10 - number // 10, self.words.get(number, "")

    def body(self, number, version, word):
        if number not in self.rests:
            self.rests[number] = "".join(event(number, other) for other in range(1, EVENTS))
        return (HEAD + event(number, 0, version, word) + self.rests[number]
                + "END:VCALENDAR\r\n").encode()

    def note(self, number, state, is_full):
        with self.lock:
            self.counts["full"] += is_full
            if number in self.served and self.served[number] != state:
                self.counts["changed"] += 1
            self.served[number] = state


HEAD = """BEGIN:VCALENDAR\r
VERSION:2.0\r
PRODID:-//benchmark//EN\r
BEGIN:VTIMEZONE\r
TZID:Europe/London\r
BEGIN:DAYLIGHT\r
TZOFFSETFROM:+0000\r
TZOFFSETTO:+0100\r
DTSTART:19810329T010000\r
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r
END:DAYLIGHT\r
BEGIN:STANDARD\r
TZOFFSETFROM:+0100\r
TZOFFSETTO:+0000\r
DTSTART:19961027T020000\r
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r
END:STANDARD\r
END:VTIMEZONE\r
"""


def event(number, place, version=0, word=""):
    day = datetime.datetime.now().replace(hour=8, minute=0, second=0) + datetime.timedelta(
        days=1 + place % 100)
    start = day + datetime.timedelta(hours=place // 100 * 3 + version % 2)
    end = start + datetime.timedelta(hours=1)
    # A tenth of the events is weekly for ten weeks.
    rule = "RRULE:FREQ=WEEKLY;COUNT=10\r\n" if place % 10 == 9 else ""
    return (
        f"BEGIN:VEVENT\r\nUID:{number}-{place}@timetables.example.org\r\n"
        f"DTSTAMP:20261101T120000Z\r\nCREATED:20260901T090000Z\r\n"
        f"DTSTART;TZID=Europe/London:{start:%Y%m%dT%H%M%S}\r\n"
        f"DTEND;TZID=Europe/London:{end:%Y%m%dT%H%M%S}\r\n{rule}"
        f"SUMMARY:Lecture {number}/{place} {word or version}\r\nLOCATION:Room {number % 100}\r\n"
        f"DESCRIPTION:{DESCRIPTION}\r\nCATEGORIES:Lecture\r\nSTATUS:CONFIRMED\r\nEND:VEVENT\r\n")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    clients = {}
    guard = threading.Lock()

    def calendars(self):
        client = self.path.split("/")[1]
        with self.guard:
            return self.clients.setdefault(client, Calendars())

    def do_GET(self):
        calendars = self.calendars()
        if self.path.endswith("/counts"):
            return self.answer(200, json.dumps(calendars.counts).encode())
        number = int(self.path.split("/")[2])
        version, word = calendars.version(number)
        tag = None if number % 10 == 3 else f'"{version}{word}"'
        if tag and self.headers.get("if-none-match") == tag:
            calendars.note(number, (version, word), False)
            return self.answer(304, b"", tag)
        body = calendars.body(number, version, word)
        calendars.note(number, (version, word), True)
        self.answer(200, body, tag)

    def do_POST(self):
        calendars = self.calendars()
        _, _, number, word = self.path.split("/")
        with calendars.lock:
            calendars.words[int(number)] = word
        self.answer(204, b"")

    def answer(self, status, body, tag=None):
        head = f"HTTP/1.1 {status} OK\r\nContent-Type: text/calendar; charset=utf-8\r\n"
        if tag:
            head += f"ETag: {tag}\r\n"
        self.wfile.write(
            head.encode() + f"Content-Length: {len(body)}\r\n\r\n".encode() + body)

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        pass


def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2])
    for host in range(1, HOSTS + 1):
        server = Server((f"127.0.1.{host}", int(sys.argv[1])), Handler)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, args=(5,), daemon=True).start()
    print("listening", flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
