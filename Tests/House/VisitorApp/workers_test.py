"""Tests workers.py of the browser tests with workers that need no browser. Exits with 0 if all is well."""

import pathlib
import sys
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "System" / "Browser"))

import workers  # noqa: E402

NAMES = [f"test_{number}" for number in range(12)]
REASON = "session not created: there is no /usr/bin/chromium\nStacktrace: #0 0x55d0"


class Pretended:
    """A worker whose starts go as `starts` says: one truth for each worker's start, in turn."""

    starts: dict = {}
    ran: list = []
    begun: list = []
    hangs: set = set()
    lock = threading.Lock()
    together: threading.Barrier
    """All workers start before one of them runs a test: they are as quick as that."""
    met: set = set()

    def __init__(self, number: int):
        self.number, self.ended = number, False
        self.process = self

    def start(self) -> tuple[bool, str]:
        if self.number not in Pretended.met:
            Pretended.met.add(self.number)
            Pretended.together.wait(30)
        left = Pretended.starts.get(self.number, [])
        started = left.pop(0) if left else True
        return started, "" if started else REASON + "\n"

    def does(self, command: str, title: str, _seconds: float) -> tuple[bool, str]:
        if command == "start":
            return self.start()
        with Pretended.lock:
            word, test = command.split()
            if word == "begin":
                Pretended.begun.append((self.number, int(test)))
                return True, ""
            if int(test) in Pretended.hangs:
                Pretended.hangs.discard(int(test))
                self.ended = True
                return False, f"   {title} FAILED: not ended\n"
            Pretended.ran.append((self.number, int(test)))
            return True, f"   {title}: 1.0 s\n"

    def stop(self):
        self.ended = True

    def terminate(self):
        pass

    def wait(self, _seconds=None):
        pass

    def end(self):
        pass


workers.Worker = Pretended


def run(count: int, starts: dict, own=(), hangs=()) -> tuple[list[int], str]:
    """The tests that failed, and what was said."""
    Pretended.starts = {number: list(one) for number, one in starts.items()}
    Pretended.ran, Pretended.begun, Pretended.hangs = [], [], set(hangs)
    Pretended.together, Pretended.met = threading.Barrier(count), set()
    said: list[str] = []
    tests = list(range(len(NAMES)))
    failed = workers.Workers(
        count, tests, list(own), NAMES, lambda _: 600, said.append, "chromium").run()
    return failed, "".join(said)


def tests_run() -> list[int]:
    return sorted(test for _, test in Pretended.ran)


def all_start() -> None:
    failed, said = run(3, {}, own=[4])
    assert failed == [] and tests_run() == list(range(12)), failed
    assert Pretended.begun == [(0, 4)] and "did not start" not in said, said


def one_does_not_start() -> None:
    for lost in range(3):
        failed, said = run(3, {lost: [False]}, own=[4])
        assert failed == [] and tests_run() == list(range(12)), (lost, failed)
        assert lost not in {number for number, _ in Pretended.ran}
        line = [one for one in said.splitlines() if "did not start" in one]
        assert line == [f"   chromium of worker {lost} did not start: session not created: there is no "
                        "/usr/bin/chromium Stacktrace: #0 0x55d0"], said


def one_does_not_start_again() -> None:
    """After a test that hung, the last worker that is there may be the one that lost its browser."""
    for hung in (0, 11):
        failed, said = run(2, {0: [True, False], 1: [True, False]}, own=[4], hangs=[hung])
        assert failed == [hung], (hung, failed, said)
        assert tests_run() == [one for one in range(12) if one != hung], tests_run()


def none_starts() -> None:
    failed, said = run(2, {0: [False], 1: [False]}, own=[4])
    assert failed == list(range(12)) and Pretended.ran == []
    assert said.count("did not start: session not created") == 2, said
    assert "no chromium starts: 12 tests fail\n" in said, said


def main() -> int:
    for check in (all_start, one_does_not_start, one_does_not_start_again, none_starts):
        for _ in range(20):
            check()
    return 0


if __name__ == "__main__":
    sys.exit(main())
