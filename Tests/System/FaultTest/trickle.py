"""Surveys and tokens that come in during the load, so that every service has something to lose."""

import gzip
import json
import time
import uuid

from beside import Beside
from campus import SITE, Campus
from client import send
from counting import faults, told


class Trickle(Beside):
    """Sends surveys with the same id until they are accepted, and orders tokens."""

    def __init__(self, campus: Campus, seconds_between: float):
        super().__init__()
        self.campus = campus
        self.pause = seconds_between
        self.surveys: set[str] = set()
        self.tokens: set[str] = set()
        self.refusals: list[str] = []
        with gzip.open(campus.folder / "building" / "surveys.jsonl.gz", "rt") as lines:
            self.pattern = json.loads(next(lines))
        self.before = set(self.surveys_in_view())

    def work(self):
        while not self.ending.wait(self.pause):
            survey = dict(self.pattern, id=str(uuid.uuid4()), site=SITE)
            if self._send("scan-ingest", "/v1/surveys", survey, 202, seconds=180):
                self.surveys.add(survey["id"])
            # Sent again, it would make another token.
            token = self._send(
                "site-editor", "/v1/tokens", {"role": "analyst", "note": "fault test"}, 201, 0)
            if token:
                self.tokens.add(token["id"])

    def _send(self, service: str, path: str, body: dict, wanted: int, seconds: float):
        answer = send(self.campus, "POST", service, path, body, seconds)
        if answer is None:
            return None
        if answer[0] != wanted:
            self.refusals.append(f"{service} {path}: {answer[0]} {str(answer[1])[:200]}")
            return None
        return answer[1]

    def surveys_in_view(self) -> list[str]:
        return [row[0] for row in self.campus.postgres.query(
            "SELECT id FROM fingerprint_builder.surveys")]

    def settle(self, seconds: float = 300):
        """Waits for the accepted surveys to be in the view, or the view at the end of the log: a
        builder that died with the last of them is replaced only when its membership has run out."""
        deadline = time.monotonic() + seconds
        while self.surveys - set(self.surveys_in_view()) and time.monotonic() < deadline:
            if self.campus.is_view_at_end("fingerprint_builder", "survey-records"):
                return
            time.sleep(0.5)

    def tokens_in_log(self) -> set[str]:
        return {token["id"] for token in self.campus.values("tokens")}

    def count(self) -> tuple[dict, list[str]]:
        """Each accepted survey once in the view with all of its readings; each token in the log."""
        kept = faults(self.surveys_in_view(), self.surveys | self.before)
        wrong = int(self.campus.postgres.query(f"""
            SELECT count(*) FROM fingerprint_builder.surveys AS surveys
            WHERE id = ANY ('{{{",".join(self.surveys)}}}') AND (
                SELECT count(*) FROM fingerprint_builder.measurements
                WHERE survey = surveys.id) <> {len(self.pattern["wifi"])}""")[0][0])
        # An editor that died with the last of them announces it when it is back.
        deadline = time.monotonic() + 60
        while self.tokens - self.tokens_in_log() and time.monotonic() < deadline:
            time.sleep(1)
        lost = sorted(self.tokens - self.tokens_in_log())
        complaints = [
            *told("survey", "in the view", kept),
            *([f"{wrong} surveys have not all of their readings"] if wrong else []),
            *[f"the token {token} is not in the log" for token in lost],
            *[f"refused: {refusal}" for refusal in self.refusals[:5]],
        ]
        return {
            "surveysAccepted": len(self.surveys), "surveyFaults": kept,
            "surveysWithWrongReadings": wrong, "tokensMade": len(self.tokens),
            "tokensLost": len(lost),
        }, complaints
