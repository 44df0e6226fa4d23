"""Surveys and tokens that come in during the load, so that every service has something to lose."""

import gzip
import json
import threading
import time
import urllib.error
import urllib.request
import uuid

from campus import SITE, Campus
from counting import faults


class Trickle(threading.Thread):
    """Sends surveys with the same id until they are accepted, and orders tokens."""

    def __init__(self, campus: Campus, seconds_between: float):
        super().__init__(daemon=True)
        self.campus = campus
        self.pause = seconds_between
        self.ending = threading.Event()
        self.surveys: set[str] = set()
        self.tokens: set[str] = set()
        self.refusals: list[str] = []
        with gzip.open(campus.folder / "building" / "surveys.jsonl.gz", "rt") as lines:
            self.pattern = json.loads(next(lines))
        self.before = set(self.surveys_in_view())

    def run(self):
        while not self.ending.wait(self.pause):
            survey = dict(self.pattern, id=str(uuid.uuid4()), site=SITE)
            if self._send("scan-ingest", "/v1/surveys", survey, 202, tries=600):
                self.surveys.add(survey["id"])
            token = self._send(
                "site-editor", "/v1/tokens", {"role": "analyst", "note": "fault test"}, 201, 1)
            if token:
                self.tokens.add(token["id"])

    def _send(self, service: str, path: str, body: dict, wanted: int, tries: int):
        for _ in range(tries):
            request = urllib.request.Request(
                self.campus.url(service) + path, json.dumps(body).encode(), method="POST",
                headers={"content-type": "application/json",
                         "authorization": f"Bearer {self.campus.environment['WHEREABOUTS_TOKEN']}"})
            try:
                with urllib.request.urlopen(request, timeout=20) as answer:
                    if answer.status == wanted:
                        return json.loads(answer.read())
            except urllib.error.HTTPError as error:
                if error.code < 500:
                    self.refusals.append(f"{error.code} {error.read()[:200]!r}")
                    return None
            except OSError:
                pass
            self.ending.wait(0.3)
        return None

    def surveys_in_view(self) -> list[str]:
        return [row[0] for row in self.campus.postgres.query(
            "SELECT id FROM fingerprint_builder.surveys")]

    def settle(self, seconds: float):
        """Waits for the accepted surveys to be in the view: a builder that died with the last of
        them is replaced only when its membership has run out."""
        deadline = time.monotonic() + seconds
        while self.surveys - set(self.surveys_in_view()) and time.monotonic() < deadline:
            time.sleep(0.5)

    def count(self) -> dict:
        """Each accepted survey once in the view with all of its readings; each token in the log."""
        kept = faults(self.surveys_in_view(), self.surveys | self.before)
        wrong = int(self.campus.postgres.query(f"""
            SELECT count(*) FROM fingerprint_builder.surveys AS surveys
            WHERE id = ANY ('{{{",".join(self.surveys)}}}') AND (
                SELECT count(*) FROM fingerprint_builder.measurements
                WHERE survey = surveys.id) <> {len(self.pattern["wifi"])}""")[0][0])
        announced = {token["id"] for token in self.campus.values("tokens")}
        lost = len(self.tokens - announced)
        return {
            "surveysAccepted": len(self.surveys), "surveyFaults": kept,
            "surveysWithWrongReadings": wrong, "tokensMade": len(self.tokens),
            "tokensLost": lost, "refusals": self.refusals[:5],
            "isWhole": (kept["missing"] == kept["doubled"] == wrong == lost == 0
                        and not self.refusals),
        }
