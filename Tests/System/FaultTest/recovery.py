"""Whether all works again after the last fault, and after how many seconds."""

import gzip
import json
import subprocess
import threading
import time
import uuid

from beside import Beside
from campus import SITE, Campus, say
from client import send

# Seconds after which what has not come does not come.
PATIENCE = 300


class Recovery(Beside):
    """Waits for the last fault; then asks for all at once and times what comes."""

    def __init__(self, campus: Campus, faults, outages):
        super().__init__()
        self.campus = campus
        self.faults = faults
        self.outages = outages
        # Moments by what was asked for.
        self.moments: dict[str, float] = {}
        self.scan = dict(self._pattern(), id=str(uuid.uuid4()), device="after-the-last-fault",
                         scanner="after-the-last-fault", site=SITE)
        self.is_accepted = False

    def _pattern(self) -> dict:
        with gzip.open(self.campus.scans, "rt") as lines:
            pattern = json.loads(next(lines))
        return {name: pattern[name] for name in ["wifi"]}

    def work(self):
        self.faults.join()
        say("the last fault is over")
        self.deadline = time.monotonic() + PATIENCE
        asking = [threading.Thread(target=one, daemon=True)
                  for one in [self._locate, self._route, self._token]]
        for one in asking:
            one.start()
        for one in asking:
            one.join()

    def _note(self, what: str):
        self.moments[what] = time.monotonic()
        say(f"{what} after the last fault")

    def _until(self, what: str, is_true):
        while not is_true():
            if time.monotonic() > self.deadline:
                return False
            time.sleep(0.3)
        self._note(what)
        return True

    def _send(self, *words, **more):
        return send(self.campus, *words, seconds=max(0, self.deadline - time.monotonic()), **more)

    def _locate(self):
        since = time.time()
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(since))
        self.scan |= {"at": stamp, "sentAt": stamp}
        answer = self._send("POST", "scan-ingest", "/v1/scans", self.scan)
        self.is_accepted = answer is not None and answer[0] == 202
        if not self.is_accepted:
            raise SystemExit(f"the scan was not accepted: {answer}")
        self._note("scanAccepted")
        identifier = self.scan["id"]
        self._until("positionInLog", lambda: self.campus.has_position(identifier, since))
        self._until("rowInView", lambda: self._count(
            f"SELECT count(*) FROM locator.positions WHERE scan_id = '{identifier}'") == "1")

    def _count(self, question: str) -> str | None:
        try:
            return self.campus.postgres.query(question)[0][0]
        except subprocess.CalledProcessError:
            return None

    def _route(self):
        start, end = next(iter(self.outages.doors.values()))
        question = {"site": SITE, "from": {"room": start}, "to": [{"room": end}]}
        answer = self._send("POST", "router", "/v1/routes", question)
        if answer and answer[0] == 200:
            self._note("routeAnswered")

    def _token(self):
        made = self._send(
            "POST", "site-editor", "/v1/tokens", {"role": "analyst", "note": "recovery"})
        if not made or made[0] != 201:
            return
        token = made[1]["token"]

        def status(site_service: str = "locator"):
            answer = send(self.campus, "GET", site_service, "/v1/positions/latest", token=token)
            return answer and answer[0]

        if not self._until("tokenWorks", lambda: status() == 200):
            return
        gone = self._send("DELETE", "site-editor", f"/v1/tokens/{made[1]['id']}")
        if gone and gone[0] in (204, 404):
            self._until("revokedTokenRefused", lambda: status() == 401)

    def count(self, limit: float, since: float, mended_at: float) -> tuple[dict, list[str]]:
        """Seconds from the last fault; from the end of a procedure where that came after it."""
        seconds, wrong = {}, []
        for what in ["scanAccepted", "positionInLog", "rowInView", "routeAnswered", "tokenWorks",
                     "revokedTokenRefused"]:
            moment = self.moments.get(what)
            if moment is None:
                wrong.append(f"{what}: not within {PATIENCE} s of the last fault")
                continue
            began = max(since, mended_at) if mended_at < moment else since
            seconds[what] = round(moment - began, 1)
            if seconds[what] > limit:
                wrong.append(f"{what}: {seconds[what]} s after the last fault")
        return {"secondsAfterLastFault": seconds}, wrong
