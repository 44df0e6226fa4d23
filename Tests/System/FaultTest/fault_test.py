"""Kills everything while scans come in, then counts what went in and what came out.

Runs the built executables as separate processes under a supervisor, offers scans at a fixed rate,
sends SIGKILL to each process, to the database and to the broker at moments drawn from a seed, and
lets the services die at named points besides. Each accepted scan must have exactly one position in
the log and exactly one row in the view. Log and tables are read with psql and kcat: nothing of the
project takes part in the count. Meanwhile doors are reported out of order and in order again; in
the end the router must give each closed door, and no other, as the reason for there being no way.
A calendar changes, too, and its bookings must be rows and events.

With `--positioner` no surveys come in. Each position must be, but for the time at which it was made,
what one pass over the log gives that nothing disturbs, and so must each event of a visit.

    fault_test.py --bin FOLDER --log postgres|kafka [--scans 100000] [--rate 500] [--kills 5]
                  [--spare kafka] [--positioner auto]
                  [--seed N] [--planted offsets-before-rows] [--shared FOLDER] [--keep]

The last line of stdout is one JSON object, whose "wrong" says what is not as it must be; the exit
status is 0 when nothing is.
"""

import argparse
import random
import sys
import time

from beside import Beside
from campus import SERVICES, Campus, add_options, run_on_campus, say
from counting import changed, count, other_ends, settle
from feeds import NETWORKS, Feeds
from outages import Outages
from trickle import Trickle

POINTS = {
    "site-editor": "outbox-appended",
    "fingerprint-builder": "rows-before-commit",
    "scan-ingest": "appended-before-answer",
    "locator": "inside-transaction",
    "locator-2": "rows-before-commit",
    "timetable-fetcher": "outbox-appended",
}


class Killer(Beside):
    """Kills each target `kills` times at moments spread over the load, drawn from the seed."""

    def __init__(self, campus: Campus, seconds: float):
        super().__init__()
        self.campus = campus
        generator = random.Random(campus.options.seed)
        targets = list(campus.services) + ["postgres"] + (["kafka"] if campus.kafka else [])
        targets = [target for target in targets if target not in campus.options.spare]
        self.plan = sorted(
            (generator.uniform(0.03, 0.92) * seconds, target)
            for target in targets for _ in range(campus.options.kills))

    def work(self):
        began = time.monotonic()
        for moment, target in self.plan:
            time.sleep(max(0.0, moment - (time.monotonic() - began)))
            say(f"SIGKILL {target}")
            if target in self.campus.services:
                self.campus.services[target].kill()
            else:
                server = self.campus.postgres if target == "postgres" else self.campus.kafka
                server.kill()
                server.start()


def points(options, seconds: float) -> dict[str, str]:
    """Each service's named point, so rare that it dies there about as often as it is killed."""
    per_death = seconds / max(1, options.kills)
    # Kafka's transactions are fewer and larger, and a group that lost a member stands still.
    transactions = 20 if options.log == "postgres" else 3
    visits_per_second = {
        "outbox-appended": 2, "appended-before-answer": options.rate,
        "inside-transaction": transactions, "rows-before-commit": transactions,
    }
    armed = {
        name: f"{point}:{max(2, round(visits_per_second[point] * per_death))}"
        for name, point in POINTS.items()
    }
    # By count, as below: a change of the feed takes some appends, and there is one each second.
    armed["timetable-fetcher"] = f"outbox-appended:@{max(2, round(per_death / 2))}"
    armed["fingerprint-builder"] = f"rows-before-commit:{max(2, round(2 * per_death))}"
    # By count, so that one death at least is certain however few transactions a loaded machine
    # makes: of one life more than there are kills, one takes at least so many of the scans.
    armed["scan-ingest"] = f"appended-before-answer:@{options.scans // (options.kills + 1)}"
    if options.planted:
        # The mistake shows only when a process dies just there.
        armed["locator"] = armed["locator-2"] = f"rows-before-commit:{max(2, round(per_death))}"
    return armed


def undisturbed(campus: Campus, positioner: str, result: dict) -> list[str]:
    """A sentence for positions, and one for visits, that the faults have changed; else none."""
    result["changed"], result["changedVisits"] = changed(campus, positioner)
    result["visitEvents"] = len(campus.values("visits"))
    wrong = [f"{result[name]} {what} differ from those of one quiet pass"
             for name, what in [("changed", "positions"), ("changedVisits", "events of visits")]
             if result[name]]
    if not result["visitEvents"]:
        wrong.append("there are no visits to compare")
    return wrong


def run(options, campus: Campus) -> tuple[dict, list[str]]:
    seconds = options.scans / options.rate
    campus.services["timetable-fetcher"].environment["WHEREABOUTS_FEED_NETWORKS"] = NETWORKS
    campus.start()
    # A device scans every 4 s: as many devices as give the rate, and a few scans to spare.
    campus.import_building(options.rate * 4, max(0.2, seconds * 1.02 / 60))
    campus.arm(points(options, seconds), options.planted)
    accepted_file = campus.folder / "accepted.txt"
    killer, outages, feeds = Killer(campus, seconds), Outages(campus, 0.25), Feeds(campus, 1)
    # Surveys make new radio maps, which the pass over the log does not follow.
    trickle = None if options.positioner else Trickle(campus, 0.5)
    besides = [*([trickle] if trickle else []), outages, feeds]
    say(f"offering {options.scans} scans at {options.rate} a second")
    began = time.monotonic()
    for beside in [killer, *besides]:
        beside.start()
    load = campus.replay(options.rate, options.scans, accepted_file)
    while load.poll() is None:
        if killer.failure:
            load.kill()
            # A server that does not come back ends the test.
            raise SystemExit(killer.failure)
        time.sleep(0.2)
    offering = time.monotonic() - began
    killer.join()
    for beside in besides:
        beside.ending.set()
    for beside in besides:
        beside.join()
    say("all is offered")
    for service in campus.services.values():
        # What follows is reading; deaths now would only hide a standstill.
        service.environment.pop("WHEREABOUTS_FAULT", None)
    accepted = set(accepted_file.read_text().split())
    settle(campus, len(accepted))
    if trickle:
        trickle.settle()
    feeds.settle()
    settling = time.monotonic() - began - offering
    say("all that comes has come")
    campus.wait_until_ready()
    parts = [count(campus, accepted), *(one.count() for one in besides)]
    feeds.stop()
    result = {name: value for part, _ in parts for name, value in part.items()}
    wrong = [sentence for _, sentences in parts for sentence in sentences]
    if options.positioner:
        wrong += undisturbed(campus, options.positioner, result)
    say("all is counted")
    wrong += other_ends(campus)
    kills = {name: service.kills for name, service in campus.services.items()}
    kills["postgres"] = campus.postgres.kills
    if campus.kafka:
        kills["kafka"] = campus.kafka.kills
    deaths = {f"{name} {point}": campus.services[name].point_deaths
              for name, point in POINTS.items()}
    wrong += [one.failure for one in [killer, *besides] if one.failure]
    if len(accepted) < 0.99 * options.scans:
        wrong.append(f"only {len(accepted)} of {options.scans} scans were accepted")
    if sum(deaths.values()) == 0:
        wrong.append("no service died at its point")
    return {
        "log": options.log, "seed": options.seed, "offered": options.scans,
        "accepted": len(accepted), **result, "kills": kills, "deathsAtPoints": deaths,
        "offeringSeconds": round(offering, 1), "settlingSeconds": round(settling, 1),
    }, wrong


def main() -> int:
    parser = argparse.ArgumentParser()
    add_options(parser)
    parser.add_argument("--scans", type=int, default=100_000)
    parser.add_argument("--rate", type=int, default=500)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--planted")
    parser.add_argument("--positioner", help="that locates; a name without parameters")
    parser.add_argument("--spare", action="append", default=[], help="a target not to kill")
    options = parser.parse_args()
    # What a planted mistake has lost is known.
    return run_on_campus(
        "fault", options, run, (*SERVICES, "timetable-fetcher"), keeps_logs=not options.planted)


if __name__ == "__main__":
    sys.exit(main())
