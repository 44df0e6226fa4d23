"""Counts what the test runner reported and prints "N passed, N failed, N skipped".

Usage: count-tests.py FOLDER           counts
       count-tests.py --failed FOLDER  prints the failed tests: for each a line with its suite, a tab
                                       and the regular expression that selects it

For each suite FOLDER holds NAME.log, NAME.status and NAME.xml, which the runner made. A suite that ended
with a bad status, or ran no test, counts as one failure when no test says so itself. FOLDER/again may hold
the same files of failed tests that ran again, alone. A test that passed there counts as passed and is named.
"""

import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree


def cases(folder: pathlib.Path, suite: str) -> dict[tuple[str, str], str]:
    """The tests of a suite by class and name, each "passed", "failed" or "skipped"."""
    try:
        report = ElementTree.parse(folder / f"{suite}.xml").getroot()
    except (ElementTree.ParseError, FileNotFoundError):
        # The runner ended before its report was complete; its exit status shows that.
        return {}
    found = {}
    for case in report.iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            outcome = "failed"
        elif case.find("skipped") is not None:
            outcome = "skipped"
        else:
            outcome = "passed"
        found[case.get("classname", ""), case.get("name", "")] = outcome
    return found


def status(folder: pathlib.Path, suite: str) -> int:
    return int((folder / f"{suite}.status").read_text())


def suites(folder: pathlib.Path) -> list[str]:
    return [file.stem for file in sorted(folder.glob("*.status"))]


def passed_again(folder: pathlib.Path) -> set[tuple[str, str]]:
    """The tests that passed when they ran once more."""
    again = folder / "again"
    return {
        test
        for suite in suites(again)
        if status(again, suite) == 0
        for test, outcome in cases(again, suite).items()
        if outcome == "passed"
    }


def failed(folder: pathlib.Path) -> list[tuple[str, tuple[str, str]]]:
    return [
        (suite, test)
        for suite in suites(folder)
        for test, outcome in cases(folder, suite).items()
        if outcome == "failed"
    ]


def selection(test: tuple[str, str]) -> str:
    """The runner's regular expression for one test. Its id is MODULE.TYPE/TYPE/name()."""
    module, *types = test[0].split(".")
    name = test[1].split("(")[0]
    return "^" + re.escape(f"{module}.{'/'.join([*types, name])}(")


def count(folder: pathlib.Path, suite: str, again: set[tuple[str, str]]) -> list[int]:
    outcomes = cases(folder, suite)
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for test, outcome in outcomes.items():
        counts["passed" if test in again else outcome] += 1
    log = (folder / f"{suite}.log").read_text(errors="replace")
    # The runner's report may leave out skipped tests; its log names each with the reason.
    counts["skipped"] = max(
        counts["skipped"], len(re.findall(r"^. Test .* skipped", log, re.MULTILINE))
    )
    bad = status(folder, suite)
    if "failed" not in outcomes.values() and (bad or not any(counts.values())):
        reason = f"it ended with {bad}" if bad else "it ran no test"
        print(f"   {suite} counts as failed: {reason}", file=sys.stderr)
        counts["failed"] = 1
    return list(counts.values())


def main() -> int:
    folder = pathlib.Path(sys.argv[-1])
    if sys.argv[1] == "--failed":
        for suite, test in failed(folder):
            print(f"{suite}\t{selection(test)}")
        return 0
    again = passed_again(folder)
    for _, test in failed(folder):
        if test in again:
            print(f"   failed, and passed alone: {'.'.join(test)}", file=sys.stderr)
    counts = [count(folder, suite, again) for suite in suites(folder)] or [[0, 1, 0]]
    passed, failures, skipped = (sum(column) for column in zip(*counts))
    print(f"{passed} passed, {failures} failed, {skipped} skipped")
    return 1 if failures else 0


sys.exit(main())
