"""Processes beside each other, each with a browser, a Between and a network of its own.

A worker is browser_test.py with `--worker`. It reads commands from its input, a line each: `start`, then
`begin N` or `run N`, where N is a test's number. After each it writes DONE and how it went. What it wrote
before is shown at once, so the lines of two tests don't mix.
"""

import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

DONE = "\x1e"
PASSED, FAILED = "passed", "failed"
START_SECONDS = 180
MOST_OF_REASON = 400


class Worker:
    """One process: started with the arguments of this one."""

    def __init__(self, number: int):
        self.ended = False
        self.process = subprocess.Popen(
            [sys.executable, *sys.argv, "--worker", str(number)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, errors="replace")

    def does(self, command: str, title: str, seconds: float) -> tuple[bool, str]:
        """Whether it went well, and what was written. After the time the worker is ended."""
        late = threading.Event()

        def end():
            late.set()
            self.end()

        limit = threading.Timer(seconds, end)
        limit.daemon = True
        limit.start()
        lines: list[str] = []
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
            for line in self.process.stdout:
                if line.startswith(DONE):
                    return line.removeprefix(DONE).strip() == PASSED, "".join(lines)
                lines.append(line)
        except OSError:
            pass
        finally:
            limit.cancel()
        self.ended = True
        reason = f"not ended after {seconds:.0f} s" if late.is_set() else "its process has died"
        return False, "".join(lines) + f"   {title} FAILED: {reason}\n"

    def stop(self) -> None:
        """Lets it close its browser."""
        limit = threading.Timer(30, self.end)
        limit.daemon = True
        limit.start()
        try:
            self.process.stdin.close()
        except OSError:
            pass
        self.process.wait()
        limit.cancel()

    def end(self) -> None:
        """Has it write where it stands, then ends it and the browsers that it started."""
        self.ended = True
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGUSR1)
            time.sleep(1)
        for one in reversed(family(self.process.pid)):
            try:
                os.kill(one, signal.SIGKILL)
            except ProcessLookupError:
                pass


def family(first: int) -> list[int]:
    """A process and all that it and its children have started, parents first."""
    children: dict[int, list[int]] = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name before the last bracket may have blanks.
            parent = int(path.read_text().rpartition(")")[2].split()[1])
        except (OSError, IndexError):
            continue
        children.setdefault(parent, []).append(int(path.parent.name))
    found = [first]
    for one in found:
        found += children.get(one, [])
    return found


class Workers:
    """Gives out tests, the first of the list first.

    `own` are numbers of tests that go on beside the others once they have begun: the first worker begins
    them before all, and runs them last. `names` has all names, `limit` gives the seconds of a test, `say`
    writes a text, and `browser` is the browser's name. If a browser does not start, the other workers take
    its worker's tests over.
    """

    def __init__(self, count: int, tests: list[int], own: list[int], names: list[str], limit, say,
                 browser: str):
        self.waiting = [one for one in tests if one not in own]
        self.own, self.names, self.limit, self.say, self.browser = own, names, limit, say, browser
        self.failed: list[int] = []
        self.able: list[int] = []
        """The workers whose browser started, each time until now."""
        self.lock = threading.Lock()
        self.workers: dict[int, Worker] = {}
        self.over = False
        self.threads = [
            threading.Thread(target=self.work, args=[number, own if number == 0 else []], daemon=True)
            for number in range(count)]

    def run(self) -> list[int]:
        """The numbers of the tests that failed."""
        try:
            for thread in self.threads:
                thread.start()
            for thread in self.threads:
                thread.join()
            # A browser may be lost when the other workers have ended already.
            while self.waiting and self.able:
                self.work(self.able[0], [])
            if self.waiting:
                self.say(f"   no {self.browser} starts: {len(self.waiting)} tests fail\n")
                self.failed += self.waiting
        finally:
            self.over = True
            left = list(self.workers.values())
            for worker in left:
                worker.process.terminate()
            for worker in left:
                try:
                    worker.process.wait(10)
                except subprocess.TimeoutExpired:
                    worker.end()
        return sorted(self.failed)

    def work(self, number: int, own: list[int]) -> None:
        own = list(own)
        begun = False
        while not self.over:
            if number not in self.workers:
                if not (self.waiting or own):
                    return
                if not self.starts(number):
                    with self.lock:
                        self.waiting[:0] = own
                    return
                for one in own if not begun else []:
                    self.does(number, "begin", one)
                begun = True
            with self.lock:
                one = self.waiting.pop(0) if self.waiting else own.pop(0) if own else None
            if one is None:
                self.workers.pop(number).stop()
                return
            if not self.does(number, "run", one):
                self.failed.append(one)

    def starts(self, number: int) -> bool:
        """Whether the worker has a browser now. Otherwise one line says why it has none."""
        worker = self.workers[number] = Worker(number)
        started, text = worker.does("start", "the browser", START_SECONDS)
        with self.lock:
            if started:
                self.able = sorted({*self.able, number})
                if text:
                    self.say(text)
                return True
            self.able = [one for one in self.able if one != number]
            if not self.over:
                reason = " ".join(text.split())[:MOST_OF_REASON]
                self.say(f"   {self.browser} of worker {number} did not start: {reason}\n")
        self.workers.pop(number, None)
        if not worker.ended:
            worker.stop()
        return False

    def does(self, number: int, command: str, test: int) -> bool:
        worker = self.workers.get(number)
        if worker is None:
            return False
        passed, text = worker.does(f"{command} {test}", self.names[test], self.limit(test))
        if worker.ended:
            self.workers.pop(number, None)
        if text and not self.over:
            with self.lock:
                self.say(text)
        return passed
