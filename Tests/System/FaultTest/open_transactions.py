"""What docs/decisions/0006 tells an operator to do when a transaction is left open for ever."""

import json
import subprocess
import time
import urllib.error
import urllib.request

from beside import Beside
from campus import Campus, say
from client import LOST

WRITERS = ["scan-ingest", "locator", "locator-2"]
# Looks in a row, five seconds apart, that must find the sign while no fault lasts.
SIGNS = 4


class OpenTransactions(Beside):
    """Watches for the page's signs, and goes by the page while no fault lasts or begins.

    `calm` is held meanwhile; `lasting` says whether a fault lasts.
    """

    def __init__(self, campus: Campus, calm, lasting):
        super().__init__()
        self.campus = campus
        self.calm = calm
        self.lasting = lasting
        self.procedures: list[list[str]] = []
        self.ended_at = 0.0

    def work(self):
        seen = 0
        while not self.ending.wait(5):
            seen = seen + 1 if not self.lasting() and self._is_told() else 0
            if seen < SIGNS:
                continue
            with self.calm:
                if not self.lasting():
                    self.procedures.append(self._mend())
                    self.ended_at = time.monotonic()
            seen = 0

    def _is_told(self) -> bool:
        return any("does not end" in self._readiness(name) for name in ["locator", "locator-2"])

    def _readiness(self, name: str) -> str:
        try:
            with urllib.request.urlopen(f"{self.campus.url(name)}/readyz", timeout=5) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.read().decode()
        except LOST:
            return ""

    def _mend(self) -> list[str]:
        say("a transaction does not end: the procedure of docs/decisions/0006 begins")
        for name in WRITERS:
            self.campus.services[name].stop()
        try:
            time.sleep(20)
            hanging = self._hanging()
            for topic, partition, _, start in hanging:
                self.campus.kafka.tool(
                    "TransactionsCommand", "abort", "--topic", topic, "--partition", partition,
                    "--start-offset", start)
            self._put_offsets_back(hanging)
        finally:
            for name in WRITERS:
                self.campus.services[name].start()
        told = [" ".join(row) for row in hanging]
        say(f"the procedure has ended {len(told)} open transactions: {json.dumps(told)}")
        return told

    def _put_offsets_back(self, hanging: list[tuple[str, str, str, str]]):
        """Where the offset was marked and the positions were not; what is read twice is dropped."""
        if "__consumer_offsets" in {topic for topic, *_ in hanging}:
            return
        for topic, partition, *_ in hanging:
            if topic != "whereabouts.positions":
                continue
            try:
                self.campus.kafka.tool(
                    "consumer.group.ConsumerGroupCommand", "--group", "locator",
                    "--topic", f"whereabouts.scans:{partition}",
                    "--reset-offsets", "--shift-by", "-2000", "--execute")
            except subprocess.CalledProcessError as error:
                # The group has committed nothing there. What that loses, the count finds.
                say(f"the offset of scans/{partition} stays: {error.output[-200:]}")

    def _hanging(self) -> list[tuple[str, str, str, str]]:
        """Topic, partition, producer and start offset of each."""
        rows = set()
        for number in range(1, self.campus.kafka.brokers + 1):
            found = self.campus.kafka.tool(
                "TransactionsCommand", "find-hanging", "--broker-id", number,
                "--max-transaction-timeout", 0)
            for line in found.splitlines():
                words = line.split()
                if len(words) >= 7 and words[1].isdigit():
                    rows.add((words[0], words[1], words[2], words[5]))
        return sorted(rows)
