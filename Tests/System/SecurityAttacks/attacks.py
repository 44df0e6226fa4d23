"""Attacks a running server with what a security review once found in it, each in several ways.

    attacks.py --bin FOLDER [--only A1] [--long] [--keep]

The findings are A1 to A5, A7, B1 to B13 of the review, and those that other files here name. One
line for each attack goes to stderr. The last line of stdout is one JSON object, whose "wrong" says
what got through; the exit status is 1 if anything did, or if a finding has fewer than three attacks.
"""

import argparse
import collections
import importlib
import json
import pathlib
import shutil
import sys
import tempfile
import time
import traceback

from house_of_attacks import ATTACKS, House, Through

HERE = pathlib.Path(__file__).resolve().parent
FINDINGS = ["A1", "A2", "A3", "A4", "A5", "A7", *(f"B{number}" for number in range(1, 14))]
LEAST = 3


def order(finding: str) -> tuple:
    return finding[0], int(finding[1:])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, help="folder with the program whereabouts")
    parser.add_argument("--only", default="", help="findings, with commas")
    parser.add_argument("--long", action="store_true", help="also those that take long or need Kafka")
    parser.add_argument("--keep", action="store_true", help="keeps the folder with the logs")
    options = parser.parse_args()
    for file in sorted(HERE.glob("attacks_*.py")):
        importlib.import_module(file.stem)
    only = [name for name in options.only.split(",") if name]
    chosen = [attack for attack in ATTACKS
              if (not only or attack.finding in only) and (options.long or not attack.is_long)]
    # One server for all attacks that need the same settings; the common one comes first.
    groups = collections.defaultdict(list)
    for attack in sorted(chosen, key=lambda attack: order(attack.finding)):
        groups[json.dumps(attack.settings, sort_keys=True)].append(attack)
    ordered = sorted(groups.values(), key=lambda group: bool(group[0].settings))
    counts = collections.Counter(attack.finding for attack in chosen)
    wanted = set(only) if only else set(FINDINGS) | set(counts)
    wrong = [f"{finding} has {counts[finding]} attacks, not {LEAST}"
             for finding in sorted(wanted, key=order) if counts[finding] < LEAST]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="attacks-"))
    folder.chmod(0o755)
    began = time.monotonic()
    house = House(options.bin, folder)
    try:
        for group in ordered:
            house.end()
            house.start(group[0].settings)
            print(f"-- {time.monotonic() - began:.0f} s: {', '.join(group[0].settings) or 'as it comes'}",
                  file=sys.stderr, flush=True)
            for attack in group:
                if fault := attempt(house, attack):
                    wrong.append(f"{attack.name}: {fault}")
                if not house.is_running:
                    house.start(attack.settings)
    finally:
        house.stop()
        if options.keep:
            print(f"kept: {folder}", file=sys.stderr)
        else:
            shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps({
        "attacks": len(chosen), "findings": {name: counts[name] for name in sorted(counts, key=order)},
        "seconds": round(time.monotonic() - began), "wrong": wrong}))
    return 1 if wrong else 0


def attempt(house: House, attack) -> str | None:
    """What got through, or why the attack could not be made."""
    began, fault = time.monotonic(), None
    try:
        attack.run(house)
        house.check_alive()
    except Through as through:
        fault = f"GOT THROUGH: {through}"
    except AssertionError as error:
        fault = f"could not be judged: {error}"
    except Exception:
        fault = "failed: " + traceback.format_exc()[-1500:]
    print(f"{'held' if fault is None else 'WRONG':5} {time.monotonic() - began:5.1f} s  {attack.name}"
          + (f"\n      {fault}" if fault else ""), file=sys.stderr, flush=True)
    return fault


if __name__ == "__main__":
    sys.exit(main())
