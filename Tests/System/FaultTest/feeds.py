"""A timetable that changes during the load, and whether its rows and events are those of its feed."""

import datetime
import json
import pathlib
import random
import subprocess
import sys
import time
import urllib.request
import uuid

from beside import Beside
from campus import SITE, Campus
from client import LOST, send
from servers import free_ports

SERVER = pathlib.Path(__file__).resolve().parents[1] / "FeedServer" / "feed_server.py"
# A request that is still not answered after so many seconds has found a service that stays away.
PATIENCE = 180
NETWORKS = "127.0.0.0/8"


class Feeds(Beside):
    """Books, moves and cancels hours in a calendar, and has it fetched after each change."""

    def __init__(self, campus: Campus, seconds_between: float):
        super().__init__()
        self.campus = campus
        self.pause = seconds_between
        self.random = random.Random(campus.options.seed)
        self.refusals: list[str] = []
        self.changes = 0
        # What the calendar has: of each UID its start and its title.
        self.events: dict[str, tuple[datetime.datetime, str]] = {}
        self.today = datetime.datetime.now(datetime.timezone.utc).replace(
            hour=0, minute=0, second=0, microsecond=0)
        port = free_ports(1)[0]
        self.url = f"http://127.0.0.1:{port}/rooms.ics"
        self.server = subprocess.Popen([sys.executable, SERVER, str(port)])
        self._serve()
        _, site = send(campus, "GET", "site-editor", f"/v1/sites/{SITE}", seconds=PATIENCE)
        self.path = f"/v1/sites/{SITE}/feeds/rooms"
        feed = {"kind": "icalendar", "address": self.url, "room": site["rooms"][0]["id"]}
        answer = send(campus, "PUT", "timetable-fetcher", self.path, feed, PATIENCE)
        if answer is None or answer[0] not in (200, 201):
            raise SystemExit(f"the feed is not taken: {answer}")

    def work(self):
        while not self.ending.wait(self.pause):
            self._change()
            self._fetch()

    def _change(self):
        for _ in range(self.random.randint(1, 4)):
            uid = self.random.choice([*self.events, None, None])
            start = self.today + datetime.timedelta(
                days=self.random.randint(2, 90), hours=self.random.randint(8, 18))
            if uid is None:
                self.events[str(uuid.UUID(int=self.random.getrandbits(128)))] = (start, "Logic")
            elif self.random.random() < 0.3:
                del self.events[uid]
            else:
                self.events[uid] = (start, self.events[uid][1] + "!")
        self.changes += 1
        self._serve()

    def _serve(self):
        lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//fault test//EN"]
        for uid, (start, title) in self.events.items():
            lines += ["BEGIN:VEVENT", f"UID:{uid}", f"DTSTART:{start:%Y%m%dT%H%M%S}Z",
                      "DURATION:PT1H", f"SUMMARY:{title}", "END:VEVENT"]
        body = "\r\n".join([*lines, "END:VCALENDAR", ""]).encode()
        deadline = time.monotonic() + 20
        while True:
            try:
                request = urllib.request.Request(self.url, body, method="PUT")
                return urllib.request.urlopen(request, timeout=20).close()
            except LOST:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)

    def _fetch(self):
        answer = send(
            self.campus, "POST", "timetable-fetcher", self.path + "/fetch", seconds=PATIENCE)
        if answer is None or answer[0] != 202:
            self.refusals.append(f"{answer}")

    def _wanted(self) -> list[tuple[int, str]]:
        return sorted((int(start.timestamp()), title) for start, title in self.events.values())

    def _rows(self) -> list[tuple[int, str]]:
        return sorted((int(starts), title) for starts, title in self.campus.postgres.query(
            "SELECT extract(epoch FROM starts_at)::bigint, "
            "convert_from(event, 'UTF8')::jsonb->>'title' FROM timetables.bookings "
            "WHERE NOT is_cancelled"))

    def settle(self, seconds: float = 300):
        """Waits for the rows to be the calendar's and for the outbox to be empty: a feed whose
        fetcher died is fetched again when its lease has run out."""
        self._fetch()
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self._rows() == self._wanted() and self.campus.postgres.query(
                    "SELECT count(*) FROM timetables.outbox") == [["0"]]:
                return
            time.sleep(0.5)

    def count(self) -> tuple[dict, list[str]]:
        """The rows are the feed's, and a reader of the log, who skips what it knows, has them."""
        wrong = [f"refused: {refusal}" for refusal in self.refusals[:5]]
        rows = self._rows()
        if rows != self._wanted():
            wrong.append(f"{len(rows)} bookings are not the {len(self.events)} of the feed")
        known: dict[str, dict] = {}
        seen: set[str] = set()
        doubled = 0
        for event in self.campus.values("timetables"):
            text = json.dumps(event, sort_keys=True)
            if text in seen:
                doubled += 1
                continue
            seen.add(text)
            # Compaction may have removed the record before, and then nothing is known.
            before = known.get(event["id"])
            if before and event.get("formerStarts", before["starts"]) != before["starts"]:
                wrong.append(f"{event['id']} has moved from where it was not")
            known[event["id"]] = event
        # The event of a cancellation has the members of a booking, so the rows tell which ended.
        cancelled = {row[0] for row in self.campus.postgres.query(
            "SELECT id FROM timetables.bookings WHERE is_cancelled")}
        read = sorted((event["starts"], event["title"])
                      for one, event in known.items() if one not in cancelled)
        told = sorted(
            (datetime.datetime.fromtimestamp(starts, datetime.timezone.utc)
             .strftime("%Y-%m-%dT%H:%M:%S.000Z"), title) for starts, title in rows)
        if read != told:
            wrong.append(f"the log has {len(read)} bookings, the tables {len(told)}")
        if self.changes < 3:
            wrong.append(f"the feed changed {self.changes} times: too few")
        return {"feedChanges": self.changes, "bookings": len(rows), "bookingEvents": len(seen),
                "bookingEventsDoubled": doubled}, wrong

    def stop(self):
        self.server.terminate()
        self.server.wait()
