"""Counts what the test runner reported and prints "N passed, N failed, N skipped".

Usage: count-tests.py FOLDER. For each suite FOLDER holds NAME.log, NAME.status and the xUnit files
that the runner made. A suite that ended with a bad status, or ran no test, counts as one failure
when no test says so itself.
"""

import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree


def count(folder: pathlib.Path, suite: str) -> tuple[int, int, int]:
    passed = failed = skipped = 0
    for file in sorted(folder.glob(f"{suite}*.xml")):
        try:
            report = ElementTree.parse(file).getroot()
        except ElementTree.ParseError:
            # The runner ended before its report was complete; its exit status shows that.
            continue
        for case in report.iter("testcase"):
            if case.find("failure") is not None or case.find("error") is not None:
                failed += 1
            elif case.find("skipped") is not None:
                skipped += 1
            else:
                passed += 1
    log = (folder / f"{suite}.log").read_text(errors="replace")
    # The runner's report may leave out skipped tests; its log names each with the reason.
    skipped = max(skipped, len(re.findall(r"^. Test .* skipped", log, re.MULTILINE)))
    status = int((folder / f"{suite}.status").read_text())
    if failed == 0 and (status != 0 or passed + skipped == 0):
        reason = f"it ended with {status}" if status else "it ran no test"
        print(f"   {suite} counts as failed: {reason}", file=sys.stderr)
        failed = 1
    return passed, failed, skipped


def main() -> int:
    folder = pathlib.Path(sys.argv[1])
    suites = [file.stem for file in sorted(folder.glob("*.status"))]
    counts = [count(folder, suite) for suite in suites]
    passed, failed, skipped = (sum(column) for column in zip(*counts)) if counts else (0, 1, 0)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


sys.exit(main())
