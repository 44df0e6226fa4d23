"""Kills one of two locators inside a transaction, again and again, and times the other's takeover.

Two locators share the devices. One dies after it has appended positions and before it has committed
them, and is not started again within the trial; its devices must be located by the other. Then a
fresh one joins, and the next trial begins. In the end each accepted scan must have exactly one
position in the log and one row in the view; both are read with psql and kcat.

With `--positioner`, such as the default `auto`, which remembers devices from scan to scan, the other
locator is killed after each takeover too, at whatever moment that is. What is remembered moves from
process to process then. In the end every position must be, but for the time at which it was made,
what one pass over the log gives that nothing disturbs (`whereabouts relocate`), and so must every
beginning and end of a visit.

    takeover_test.py --bin FOLDER --log postgres|kafka [--trials 20] [--rate 100] [--limit 15]
                     [--positioner auto] [--seed N] [--shared FOLDER] [--keep]

The last line of stdout is one JSON object; the exit status is 0 when every takeover was within the
limit, and nothing was lost or doubled.
"""

import argparse
import sys
import threading
import time

from campus import SERVICES, Campus, add_options, run_on_campus, say
from counting import changed, count, other_ends, settle

PARTITIONS = 12
# So many transactions a locator has committed before it dies in the next: it takes part by then.
TRANSACTIONS = 60
PATIENCE = 150
# Long enough that some of the walkers leave the room in which they begin, so that visits end.
WALKED_SECONDS = 40


class Load(threading.Thread):
    """Sends the scans of the file again and again, each time under new ids, until told to end."""

    def __init__(self, campus: Campus):
        super().__init__(daemon=True)
        self.campus = campus
        self.ending = threading.Event()
        self.accepted: set[str] = set()
        self.offered = 0

    def run(self):
        scans = WALKED_SECONDS * self.campus.options.rate
        file = self.campus.folder / "accepted.txt"
        while not self.ending.is_set():
            self.campus.replay(self.campus.options.rate, scans, file).wait()
            self.offered += scans
            self.accepted |= set(file.read_text().split())


def trial(campus: Campus, number: int) -> float | None:
    """Seconds from the death to the first position of the partition that waited longest."""
    doomed = campus.services["locator-2"]
    # Deaths at other counts meet other moments of the group's life.
    doomed.environment["WHEREABOUTS_FAULT"] = f"inside-transaction:@{TRANSACTIONS + 7 * number}"
    doomed.start()
    if not doomed.wait_for_death(120):
        say(f"trial {number + 1}: the locator has not died at its point")
        return None
    died_at, first = doomed.died_at, {}
    while time.time() < died_at + PATIENCE:
        time.sleep(0.5)
        first = campus.first_positions_after(died_at)
        if len(first) == PARTITIONS:
            seconds = max(first.values()) - died_at
            say(f"trial {number + 1}: taken over after {seconds:.1f} s")
            return seconds
    missing = sorted(set(range(PARTITIONS)) - set(first))
    say(f"trial {number + 1}: partitions {missing} not taken over within {PATIENCE} s")
    return None


def run(options, campus: Campus) -> tuple[dict, list[str]]:
    campus.start()
    doomed = campus.services["locator-2"]
    doomed.stop()
    doomed.restarts = False
    # Enough devices that each partition gets several scans a second.
    campus.import_building(options.rate * 4, 1.1 * WALKED_SECONDS / 60)
    load = Load(campus)
    load.start()
    takeovers = []
    for number in range(options.trials):
        takeovers.append(trial(campus, number))
        if options.positioner:
            survivor = campus.services["locator"]
            survivor.kill()
            # Two that are down at once would time a start in place of a takeover.
            time.sleep(1)
            campus.wait_until_ready(["locator"])
    load.ending.set()
    load.join()
    settle(campus, len(load.accepted))
    result, wrong = count(campus, load.accepted)
    if options.positioner:
        result["changed"], result["changedVisits"] = changed(campus, options.positioner)
        # What differs must show.
        by_another = changed(campus, f"{options.positioner}=knn")
        result["changedByAnother"], result["changedVisitsByAnother"] = by_another
        ended = sum(1 for visit in campus.values("visits") if "left" in visit)
        result["visitsEnded"] = ended
        if result["changed"]:
            wrong.append(f"{result['changed']} positions differ from those of one quiet pass")
        if result["changedVisits"]:
            wrong.append(f"{result['changedVisits']} events of visits differ from one quiet pass")
        if not all(by_another):
            wrong.append("another positioner gives the same, so the comparison compares nothing")
        if not ended:
            wrong.append("no visit has ended: let the walkers walk for longer")
    wrong += other_ends(campus)
    known = [seconds for seconds in takeovers if seconds is not None]
    if len(known) < options.trials:
        wrong.append(f"{options.trials - len(known)} of {options.trials} trials had no takeover")
    wrong += [f"a takeover took {seconds:.1f} s" for seconds in known if seconds > options.limit]
    if doomed.point_deaths != options.trials:
        wrong.append(f"{doomed.point_deaths} deaths at the point in {options.trials} trials")
    if len(load.accepted) != load.offered:
        wrong.append(f"{load.offered - len(load.accepted)} scans were not accepted")
    return {
        "log": options.log, "seed": options.seed, "trials": options.trials,
        "takeoverSecondsMaximum": round(max(known), 2) if known else None,
        "takeoverSecondsMedian": round(sorted(known)[len(known) // 2], 2) if known else None,
        "takenOver": len(known), "deathsInsideTransaction": doomed.point_deaths,
        "offered": load.offered, "accepted": len(load.accepted), **result,
    }, wrong


def main() -> int:
    parser = argparse.ArgumentParser()
    add_options(parser)
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--rate", type=int, default=100)
    parser.add_argument("--positioner", help="that locates; a name without parameters")
    parser.add_argument("--limit", type=float, default=15, help="seconds that a takeover may take")
    options = parser.parse_args()
    # Ways are no part of this.
    return run_on_campus("takeover", options, run, [one for one in SERVICES if one != "router"])


if __name__ == "__main__":
    sys.exit(main())
