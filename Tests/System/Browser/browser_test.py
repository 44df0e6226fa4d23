"""Tests the visitor's app and the staff's in a browser against a running service.

    browser_test.py --at http://127.0.0.1:8080 [--browser chromium|firefox|webkit] [--jobs N]
        [--axe axe.min.js] [--walk FOLDER] [--screens FOLDER] [--late] [--write] [--long]
        [--app FOLDER] [--token TOKEN] [NAME ...]

The service has to have sites that are open to visitors: bush-house (simulated), and of moorgate,
polytech, columbus and museum those that there are. A NAME is a test or a file of tests, such as
`a_search_finds_a_room` or `search`. Chromium needs chromium, chromium-driver and PyPI's selenium.

--jobs is how many tests run side by side, each in a process with a browser of its own. --walk is a
folder that `whereabouts simulate` wrote for the site bush-house. --late makes each answer
late by up to two seconds, so that races show. --write writes heard.txt anew. --long also runs the
tests of LONG, and watches pages for minutes. --app takes the app's files
from a folder, such as Services/site-editor/web/app, so that they need no build; those of the staff's app
lie beside it. --token is an administrator's of all sites: with it the tests of the staff's app make accounts
and sites of their own. Each test's line is
also added to the file that WHEREABOUTS_BROWSER_LOG names. A test that hangs is ended after LIMIT
seconds, and fails. Exits with 0 when all checks pass.
"""

import argparse
import faulthandler
import importlib
import inspect
import os
import pathlib
import signal
import sys
import time
import traceback

import own_network
from between import Between
from page import Page
from subject import HERE, LeftOut, Subject
from workers import DONE, FAILED, PASSED, Workers


def start(name: str):
    if name == "chromium":
        from chromium import Chromium
        return Chromium()
    from other_browsers import start_other
    return start_other(name)


# Tests that wait for long, or look at one more site: they run with --long, or by name.
LONG = {
    "a_module_that_never_comes_is_said", "an_hour_of_use_leaves_nothing", "nothing_is_said_twice",
    "an_unsure_compass_gives_text_and_plan", "hardly_wakes_at_rest", "outages_that_were_known",
    "screens_of_columbus_are_legible", "screens_of_polytech_are_legible",
}
# Those that take longest begin first, so that no worker has one left alone at the end.
LONGEST = (
    "a_shared_place_is_seen_until_it_is_stopped", "steps_are_heard_in_time",
    "screens_of_bush_house_are_legible", "um6_the_arrow_points_to_the_next_turn",
    "names_never_lie_over_each_other", "screens_of_moorgate_are_legible",
    "screens_of_the_museum_are_legible", "screens_of_the_staff_are_legible",
    "screens_of_the_administration_are_legible",
)
# Seconds after which a test has hung, and with --long one that takes long. Neither says how fast it is to be.
LIMIT, LONG_LIMIT = 600, 3600


def all_tests() -> list[tuple[str, type, str]]:
    """File, class and name, in the order of the files' names and of the lines."""
    found = []
    for path in sorted(HERE.glob("*_tests.py")):
        module = importlib.import_module(path.stem)
        for _, kind in inspect.getmembers(module, inspect.isclass):
            if issubclass(kind, Subject) and kind.__module__ == path.stem:
                found += [(path.stem.removesuffix("_tests"), kind, name) for name in vars(kind)
                          if not name.startswith("_") and name != "begin"]
    return found


class Runs:
    """What a worker does with its browser."""

    def __init__(self, given):
        self.given = given
        self.tests = all_tests()
        self.subjects: dict[type, Subject] = {}
        self.begun: set[type] = set()

    def start(self) -> bool:
        if not own_network.leave_machine() and self.given.worker == 0:
            print("   no right to a network of its own: tests beside may break off requests")
        self.between = Between(self.given.at, hasty=not self.given.late)
        self.between.folder = self.given.app
        try:
            Page.browser = start(self.given.browser)
        except Exception as error:
            # The line that says so is the first worker's.
            print(f"{type(error).__name__}: {error}")
            return False
        return True

    def subject(self, kind: type) -> Subject:
        if kind not in self.subjects:
            self.subjects[kind] = kind(self.between, self.given)
        return self.subjects[kind]

    def begin(self, number: int) -> bool:
        """What goes on beside other tests; where it has not begun, it begins with the test."""
        _, kind, name = self.tests[number]
        try:
            self.subject(kind).begin()
            self.begun.add(kind)
            return True
        except Exception as error:
            print(f"   {name} can't begin yet: {str(error)[:400]}")
            return False

    def run(self, number: int) -> bool:
        _, kind, name = self.tests[number]
        begin = time.monotonic()
        between = self.between
        between.plain()
        Page.reports = ""
        try:
            try:
                self.once(kind, name)
            except Exception:
                # Chromium breaks off all requests when a network interface of the machine comes or goes.
                if "ERR_NETWORK_CHANGED" not in Page.reports:
                    raise
                print(f"   {name} runs again: the machine's network has changed")
                between.plain()
                self.once(kind, name)
            print(f"   {name}: {time.monotonic() - begin:.1f} s")
            return True
        except LeftOut as reason:
            print(f"   {name} left out: {reason}")
            return True
        except Exception as error:
            lines = [f"{pathlib.Path(one.filename).name}:{one.lineno}"
                     for one in traceback.extract_tb(error.__traceback__)
                     if pathlib.Path(one.filename).parent == HERE]
            print(f"   {name} FAILED at {', '.join(lines)}: {str(error)[:4000]}")
            print(Page.reports)
            for one in between.failed[-20:]:
                print(f"      | {one}")
            return False
        finally:
            for page in list(Page.newest):
                if not page.stays:
                    page.close()

    def once(self, kind: type, name: str) -> None:
        subject = self.subject(kind)
        if kind not in self.begun:
            subject.begin()
        # What has gone on is over with the test.
        self.begun.discard(kind)
        getattr(subject, name)()

    def stop(self) -> None:
        for page in list(Page.newest):
            page.close()
        if Page.browser:
            Page.browser.stop()


def work(given) -> int:
    """A worker: does what its input says until that ends."""
    sys.stdout.reconfigure(line_buffering=True)
    own_network.end_with_parent()
    # So that no browser is left behind, and that a test that hangs says where.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    faulthandler.register(signal.SIGUSR1, file=sys.stdout, all_threads=False)
    runs = Runs(given)
    try:
        for line in sys.stdin:
            command, *numbers = line.split()
            passed = getattr(runs, command)(*map(int, numbers))
            print(DONE + (PASSED if passed else FAILED))
    finally:
        runs.stop()
    return 0


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--at", required=True)
    parser.add_argument("--browser", default="chromium")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--screens", type=pathlib.Path)
    parser.add_argument("--axe", type=pathlib.Path)
    parser.add_argument("--walk", type=pathlib.Path)
    parser.add_argument("--late", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--app", type=pathlib.Path)
    parser.add_argument("--token")
    parser.add_argument("--worker", type=int, help=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    if given.screens:
        given.screens.mkdir(parents=True, exist_ok=True)
    given.axe = given.axe.read_text() if given.axe else None
    return given


def say(text: str) -> None:
    print(text, end="", flush=True)
    if log := os.environ.get("WHEREABOUTS_BROWSER_LOG"):
        with open(log, "a", encoding="utf-8") as file:
            file.write(text)


def main() -> int:
    given = arguments()
    if given.worker is not None:
        return work(given)
    tests = all_tests()
    chosen = [number for number, (file, _, name) in enumerate(tests)
              if name in given.names or file in given.names
              or not given.names and (given.long or name not in LONG)]
    if not chosen:
        print(f"there are no tests {given.names}")
        return 64
    names = [name for _, _, name in tests]
    chosen.sort(key=lambda one: (names[one] not in LONGEST, one))
    own = [one for one in chosen if tests[one][1].begin is not Subject.begin]

    def limit(number: int) -> int:
        return LONG_LIMIT if given.long and names[number] in LONG else LIMIT

    # So that no worker is left behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    failed = Workers(given.jobs, chosen, own, names, limit, say, given.browser).run()
    if failed:
        # A page may be late under load. Otherwise deploy/test would run all tests again for it.
        say(f"   {len(failed)} failed and run again, alone\n")
        failed = Workers(1, failed, [], names, limit, say, given.browser).run()
    say(f"   {given.browser}: {len(chosen) - len(failed)} passed, {len(failed)} failed\n")
    # Last, since a log may keep only the end.
    for number in failed:
        say(f"   failed twice: {names[number]}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
