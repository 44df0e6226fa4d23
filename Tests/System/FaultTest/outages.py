"""Doors that are reported as out of order and in order again, and whether the router knows it."""

import collections
import uuid

from beside import Beside
from campus import SITE, Campus
from client import send

# So many doors are enough for each to be closed and opened a few times.
DOORS = 40
# A request that is still not answered after so many seconds has found a service that stays away.
PATIENCE = 180


class Outages(Beside):
    """Closes and opens the only doors of rooms, one after the other, and insists on each step.

    A door in three stays closed until its next turn, so that the end finds doors of both kinds.
    """

    def __init__(self, campus: Campus, seconds_between: float):
        super().__init__()
        self.campus = campus
        self.pause = seconds_between
        self.refusals: list[str] = []
        # Reports that were accepted, and those of them whose end was accepted.
        self.reported: set[str] = set()
        self.ended: set[str] = set()
        # The outage of each door that is closed now.
        self.closed: dict[str, str] = {}
        self.doors = {
            door: rooms for door, rooms in self._only_doors() if self._answer(*rooms)["found"]}
        if len(self.doors) < DOORS / 2:
            raise SystemExit(f"the router finds ways through {len(self.doors)} doors only")

    def _only_doors(self) -> list[tuple[str, tuple[str, str]]]:
        """Doors without which one of their rooms can't be left, with that room and the other."""
        _, site = send(self.campus, "GET", "site-editor", f"/v1/sites/{SITE}", seconds=PATIENCE)
        ways = [(way["id"], [stop.get("room") for stop in way["stops"]], way["kind"])
                for way in site["connections"]]
        uses = collections.Counter(room for _, rooms, _ in ways for room in rooms)
        doors = []
        for door, rooms, kind in ways:
            if kind == "door" and len(rooms) == 2 and None not in rooms:
                rooms.sort(key=lambda room: uses[room])
                if uses[rooms[0]] == 1:
                    doors.append((door, (rooms[0], rooms[1])))
        return sorted(doors)[:DOORS]

    def work(self):
        for number, door in enumerate(self._in_turn()):
            if self.ending.wait(self.pause):
                return
            if door in self.closed:
                self._open(door)
            else:
                self._close(door)
                if number % 3:
                    self._open(door)

    def _in_turn(self):
        while True:
            yield from self.doors

    def _close(self, door: str):
        identifier = str(uuid.uuid4())
        report = {"id": identifier, "site": SITE, "connection": door, "reason": "fault test",
                  "reportedBy": "fault test"}
        if self._is_done(send(
                self.campus, "POST", "site-editor", "/v1/outages", report, PATIENCE), (200, 201)):
            self.reported.add(identifier)
            self.closed[door] = identifier

    def _open(self, door: str):
        path = f"/v1/outages/{self.closed[door]}"
        # An end whose answer was lost has ended it all the same.
        if self._is_done(send(
                self.campus, "DELETE", "site-editor", path, seconds=PATIENCE), (204, 404)):
            self.ended.add(self.closed.pop(door))

    def _is_done(self, answer, wanted: tuple[int, int]) -> bool:
        if answer is None or answer[0] not in wanted:
            self.refusals.append(f"{answer}")
        return answer is not None and answer[0] in wanted

    def _answer(self, start: str, end: str) -> dict:
        question = {"site": SITE, "from": {"room": start}, "to": [{"room": end}]}
        answer = send(self.campus, "POST", "router", "/v1/routes", question, PATIENCE)
        if answer is None or answer[0] != 200:
            raise SystemExit(f"the router does not answer from {start} to {end}: {answer}")
        return answer[1]

    def _is_heeded(self, door: str) -> bool:
        """Whether the router gives this door as the reason for there being no way."""
        answer = self._answer(*self.doors[door])
        barriers = (answer.get("reason") or {}).get("barriers") or []
        return not answer["found"] and any(
            barrier["connection"] == door
            and any(rule["openedBy"] == "end-of-outage" for rule in barrier["rules"])
            for barrier in barriers)

    def count(self) -> tuple[dict, list[str]]:
        """What the log has of them, and what the router knows, also killed and back again."""
        events = [(event["id"], event.get("endedBy") is not None)
                  for event in self.campus.values("outages")]
        in_log = {one for one, _ in events}
        ended_in_log = {one for one, is_end in events if is_end}
        lost = ([f"the report of {one}" for one in self.reported - in_log]
                + [f"the end of {one}" for one in self.ended - ended_in_log])
        known = {}
        for moment in ["at the end", "after one more kill"]:
            if known:
                self.campus.services["router"].kill()
                self.campus.wait_until_ready(["router"])
            known[moment] = {door for door in self.doors if self._is_heeded(door)}
        closed = set(self.closed)
        wrong = [f"{event} is not in the log" for event in lost]
        for moment, heeded in known.items():
            wrong += [f"the router has forgotten {moment} that {door} is closed"
                      for door in sorted(closed - heeded)]
            wrong += [f"the router holds {door} for closed {moment}"
                      for door in sorted(heeded - closed)]
        wrong += [f"an outage was not taken: {refusal}" for refusal in self.refusals]
        if not closed or not self.ended:
            wrong.append(f"{len(closed)} doors closed, {len(self.ended)} outages ended: too few")
        return {
            "outagesReported": len(self.reported), "outagesEnded": len(self.ended),
            "outageEventsLost": len(lost), "doorsClosed": len(closed),
            "doorsWrong": sum(len(closed ^ heeded) for heeded in known.values()),
        }, wrong
