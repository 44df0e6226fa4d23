"""Tests the visitor's app in a browser against a running service.

    browser_test.py --at http://127.0.0.1:8080 [--browser chromium|firefox|webkit] [--axe axe.min.js]
        [--walk FOLDER] [--screens FOLDER] [--late] [--write] [--long] [--app FOLDER] [NAME ...]

The service has to have sites that are open to visitors: bush-house (simulated), and of moorgate,
polytech, columbus and museum those that there are. A NAME is a test or a file of tests, such as
`a_search_finds_a_room` or `search`. Chromium needs chromium, chromium-driver and PyPI's selenium.

--walk is a folder that `whereabouts simulate` wrote for the site bush-house. --late makes each answer
late by up to two seconds, so that races show. --write writes heard.txt anew. --long also runs the
tests of LONG, and watches pages for minutes. --app takes the app's files
from a folder, such as Services/site-editor/web/app, so that they need no build. Exits with 0 when all
checks pass.
"""

import argparse
import importlib
import inspect
import pathlib
import signal
import sys
import time
import traceback

import own_network
from between import Between
from page import Page
from subject import HERE, LeftOut, Subject


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


def subjects(between: Between, given) -> list[tuple[str, Subject, str]]:
    """All tests: file, subject and name, in the order of the files' names and of the lines."""
    found = []
    for path in sorted(HERE.glob("*_tests.py")):
        module = importlib.import_module(path.stem)
        for _, kind in inspect.getmembers(module, inspect.isclass):
            if issubclass(kind, Subject) and kind.__module__ == path.stem:
                subject = kind(between, given)
                found += [(path.stem.removesuffix("_tests"), subject, name) for name in vars(kind)
                          if not name.startswith("_") and name != "begin"]
    return found


def run(between: Between, subject: Subject, name: str) -> bool:
    begin = time.monotonic()
    between.plain()
    Page.reports = ""
    try:
        try:
            getattr(subject, name)()
        except Exception:
            # Chromium breaks off all requests when a network interface of the machine comes or goes.
            if "ERR_NETWORK_CHANGED" not in Page.reports:
                raise
            print(f"   {name} runs again: the machine's network has changed", flush=True)
            between.plain()
            getattr(subject, name)()
        print(f"   {name}: {time.monotonic() - begin:.1f} s", flush=True)
        return True
    except LeftOut as reason:
        print(f"   {name} left out: {reason}", flush=True)
        return True
    except Exception as error:
        lines = [f"{pathlib.Path(one.filename).name}:{one.lineno}"
                 for one in traceback.extract_tb(error.__traceback__)
                 if pathlib.Path(one.filename).parent == HERE]
        print(f"   {name} FAILED at {', '.join(lines)}: {str(error)[:4000]}", flush=True)
        print(Page.reports, flush=True)
        for one in between.failed[-20:]:
            print(f"      | {one}", flush=True)
        return False
    finally:
        for page in list(Page.newest):
            if not page.stays:
                page.close()


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--at", required=True)
    parser.add_argument("--browser", default="chromium")
    parser.add_argument("--screens", type=pathlib.Path)
    parser.add_argument("--axe", type=pathlib.Path)
    parser.add_argument("--walk", type=pathlib.Path)
    parser.add_argument("--late", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--app", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    if given.screens:
        given.screens.mkdir(parents=True, exist_ok=True)
    given.axe = given.axe.read_text() if given.axe else None
    if not own_network.leave_machine():
        print("   no right to a network of its own: tests beside may break off requests")
    between = Between(given.at, hasty=not given.late)
    between.folder = given.app
    tests = [one for one in subjects(between, given)
             if one[2] in given.names or one[0] in given.names
             or not given.names and (given.long or one[2] not in LONG)]
    if not tests:
        print(f"there are no tests {given.names}")
        return 64
    # So that no browser is left behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    Page.browser = start(given.browser)
    try:
        for subject in {id(one[1]): one[1] for one in tests}.values():
            subject.begin()
        failed = [one for one in tests if not run(between, *one[1:])]
        if failed:
            # A page may be late under load. Otherwise deploy/test would run all tests again for it.
            print(f"   {len(failed)} failed and run again, alone")
            failed = [one for one in failed if not run(between, *one[1:])]
    finally:
        for page in list(Page.newest):
            page.close()
        Page.browser.stop()
    print(f"   {given.browser}: {len(tests) - len(failed)} passed, {len(failed)} failed")
    # Last, since a log may keep only the end.
    for _, _, name in failed:
        print(f"   failed twice: {name}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
