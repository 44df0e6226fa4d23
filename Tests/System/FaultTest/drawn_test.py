"""Does what happens to machines, drawn from a seed, while scans come in; counts as fault_test.py does.

Kills of each process, of the database and of brokers, one after the other and all at once; processes
that stand still for 25 s; full disks; links that are cut without a word to either side; a locator
whose clock runs 30 days ahead. Some begin while another lasts. Each accepted scan must have exactly
one position in the log and exactly one row in the view, and the positions of a device must be in
the order of its scans. No process of ours may end but by our hand. A minute after the last fault a
new scan must have been located, a route answered, a token issued, used and refused.

    drawn_test.py --bin FOLDER --log postgres|kafka [--brokers 1|3] [--scans 100000] [--rate 200]
                  [--devices 500] [--faults 20] [--overlapping 5] [--positioner auto]
                  [--seed N] [--shared FOLDER] [--keep]

With a positioner that remembers devices no surveys come in, and each position must be, but for the
time at which it was made, what `whereabouts relocate` gives. A database or a broker that stops on a
full disk is started again once there is room; where a broker leaves a transaction open, it is ended
as docs/decisions/0006 says. Both are told. Needs root, for networks and disks of its own; ends with
77 where it can't have them. The last line of stdout is one JSON object, whose "wrong" says what is
not as it must be; the exit status is 0 when nothing is.
"""

import argparse
import collections
import pathlib
import sys
import threading
import time

from beside import Beside
from campus import SERVICES, Campus, add_options, run_on_campus, say
from counting import changed, count, other_ends, out_of_order, settle
from links import enter_own_world, skip
from open_transactions import OpenTransactions
from outages import Outages
from plan import Fault, draw, overlapping
from recovery import Recovery
from trickle import Trickle

# Seconds after the last fault within which all works again.
LIMIT = 60
AHEAD = {
    "LD_PRELOAD": "/usr/$LIB/faketime/libfaketime.so.1", "FAKETIME": "+30d",
    # Only the time of day is wrong; how long something takes is not.
    "FAKETIME_DONT_FAKE_MONOTONIC": "1",
}


class Faults(Beside):
    """Carries the plan out, each fault beside the others."""

    def __init__(self, campus: Campus, plan: list[Fault]):
        super().__init__()
        self.campus = campus
        self.plan = plan
        self.servers = {"postgres": campus.postgres}
        if campus.kafka:
            self.servers |= campus.kafka.members
        # Held for a moment when a fault begins, and for long by whoever needs calm.
        self.calm = threading.Lock()
        self.underway = 0
        self.over_at = 0.0
        self.failures: list[str] = []
        # Servers that stopped on a full disk.
        self.stopped: list[str] = []

    def work(self):
        began = time.monotonic()
        threads = []
        for fault in self.plan:
            time.sleep(max(0.0, fault.moment - (time.monotonic() - began)))
            with self.calm:
                self.underway += 1
            threads.append(threading.Thread(target=self._do, args=[fault], daemon=True))
            threads[-1].start()
        for thread in threads:
            thread.join()
        if self.failures:
            raise SystemExit("; ".join(self.failures))

    def _do(self, fault: Fault):
        say(f"{fault.kind} {fault.target} begins")
        try:
            getattr(self, "_" + fault.kind.replace("-", "_"))(fault)
        except BaseException as error:
            self.failures.append(f"{fault.kind} {fault.target}: {error!r}")
        say(f"{fault.kind} {fault.target} is over")
        with self.calm:
            self.underway -= 1

    def is_lasting(self) -> bool:
        return self.underway > 0

    def _over(self):
        """From now on nothing hinders; the server may still be starting."""
        self.over_at = max(self.over_at, time.monotonic())

    def _kill(self, fault: Fault):
        if fault.target in self.campus.services:
            self.campus.services[fault.target].kill()
            return self._over()
        self.servers[fault.target].kill()
        self._over()
        self.servers[fault.target].start()

    def _kill_in_turn(self, _):
        for broker in self.campus.kafka.members.values():
            broker.kill()
            self._over()
            broker.start()

    def _kill_all(self, _):
        brokers = self.campus.kafka.members.values()
        for broker in brokers:
            broker.kill()
        self._over()
        for broker in brokers:
            broker.spawn()
        for broker in brokers:
            broker.wait()

    def _pause(self, fault: Fault):
        target = self.campus.services.get(fault.target) or self.servers[fault.target]
        target.pause()
        time.sleep(fault.length)
        target.resume()
        self._over()

    def _cut(self, fault: Fault):
        self.campus.links[fault.target].cut()
        time.sleep(fault.length)
        self.campus.links[fault.target].mend()
        self._over()

    def _disk(self, fault: Fault):
        disk, server = self.campus.disks[fault.target], self.servers[fault.target]
        disk.fill()
        time.sleep(fault.length)
        disk.make_room()
        self._over()
        # One that is about to stop has the time to.
        for _ in range(20):
            if server.has_ended():
                say(f"{fault.target} has stopped on the full disk and is started again")
                self.stopped.append(fault.target)
                self._over()
                return server.start()
            time.sleep(0.25)

    def _clock(self, fault: Fault):
        service = self.campus.services[fault.target]
        service.environment |= AHEAD
        service.kill()
        time.sleep(fault.length)
        for name in AHEAD:
            service.environment.pop(name)
        service.kill()
        self._over()


def run(options, campus: Campus) -> tuple[dict, list[str]]:
    seconds = options.scans / options.rate
    servers = ["postgres", *(campus.kafka.members if campus.kafka else [])]
    plan = draw(options.seed, options.faults, options.overlapping, seconds, SERVICES, servers)
    say(f"{len(plan)} faults, {overlapping(plan)} of them while another lasts:")
    for fault in plan:
        say(f"  {fault}")
    campus.start()
    # A device's scans are four simulated seconds apart; a few are to spare.
    campus.import_building(options.devices, options.scans * 1.02 / options.devices * 4 / 60 + 0.1)
    accepted_file = campus.folder / "accepted.txt"
    faults, outages = Faults(campus, plan), Outages(campus, 0.25)
    recovery = Recovery(campus, faults, outages)
    watch = OpenTransactions(campus, faults.calm, faults.is_lasting) if campus.kafka else None
    trickle = None if options.positioner else Trickle(campus, 0.5)
    besides = [one for one in [outages, trickle, watch] if one]
    say(f"offering {options.scans} scans at {options.rate} a second")
    began = time.monotonic()
    load = campus.replay(options.rate, options.scans, accepted_file)
    for beside in [faults, recovery, *besides]:
        beside.start()
    while load.poll() is None:
        time.sleep(0.2)
    offering = time.monotonic() - began
    say("all is offered")
    recovery.join()
    for beside in [outages, trickle]:
        if beside:
            beside.ending.set()
            beside.join()
    accepted = set(accepted_file.read_text().split())
    if recovery.is_accepted:
        accepted.add(recovery.scan["id"])
    # A loaded machine may have much to catch up with; what stands still ends the wait before.
    settle(campus, len(accepted), seconds=1800)
    if trickle:
        trickle.settle()
    if watch:
        watch.ending.set()
        watch.join()
    settling = time.monotonic() - began - offering
    say("all that comes has come")
    campus.wait_until_ready()
    scans, positions = campus.values("scans"), campus.values("positions")
    disordered = out_of_order(scans, positions)
    tomorrow = time.strftime("%Y-%m-%dT", time.gmtime(time.time() + 86_400))
    ahead = sum(1 for position in positions if position["locatedAt"] > tomorrow)
    parts = [count(campus, accepted), outages.count(), *([trickle.count()] if trickle else []),
             recovery.count(LIMIT, faults.over_at, watch.ended_at if watch else 0.0)]
    result = {name: value for part, _ in parts for name, value in part.items()}
    wrong = [sentence for _, sentences in parts for sentence in sentences] + other_ends(campus)
    if disordered:
        wrong.append(f"{len(disordered)} scans were located after later ones of their device")
    if not out_of_order(scans, positions[::-1]):
        wrong.append("a log read backwards is in order too, so the check of order checks nothing")
    if options.positioner:
        # A clock that runs ahead ends visits before their time, so only positions are judged.
        result["changed"], result["changedVisits"] = changed(campus, options.positioner)
        if result["changed"]:
            wrong.append(f"{result['changed']} positions differ from those of one quiet pass")
    say("all is counted")
    wrong += [f"{name} was killed by somebody else"
              for name, service in campus.services.items() if service.point_deaths]
    wrong += [f"{name} has ended by itself"
              for name, server in faults.servers.items() if server.has_ended()]
    wrong += [one.failure for one in [faults, recovery, *besides] if one.failure]
    procedures = watch.procedures if watch else []
    if procedures and options.brokers > 1:
        wrong.append("several brokers left a transaction open")
    if len(accepted) < options.scans:
        wrong.append(f"only {len(accepted)} of {options.scans} scans were accepted")
    return {
        "log": options.log, "brokers": options.brokers if campus.kafka else 0,
        "seed": options.seed, "offered": options.scans, "accepted": len(accepted),
        "faults": len(plan), "overlapping": overlapping(plan),
        "kinds": collections.Counter(fault.kind for fault in plan),
        **result, "outOfOrder": len(disordered), "locatedByClockAhead": ahead,
        "stoppedOnFullDisk": faults.stopped,
        "openTransactionProcedures": len(procedures), "openTransactions": procedures,
        "offeringSeconds": round(offering, 1), "settlingSeconds": round(settling, 1),
    }, wrong


def main() -> int:
    parser = argparse.ArgumentParser()
    add_options(parser)
    parser.add_argument("--brokers", type=int, choices=[1, 3], default=1)
    parser.add_argument("--scans", type=int, default=100_000)
    parser.add_argument("--rate", type=int, default=200)
    parser.add_argument("--devices", type=int, default=500)
    parser.add_argument("--faults", type=int, default=20)
    parser.add_argument("--overlapping", type=int, default=5)
    parser.add_argument("--positioner", help="that locates; a name without parameters")
    options = parser.parse_args()
    if options.log == "kafka" and not (pathlib.Path(options.shared) / "kafka" / "start").exists():
        skip(f"there is no Kafka in {options.shared}")
    if not list(pathlib.Path("/usr/lib").glob("*/faketime/libfaketime.so.1")):
        skip("faketime is not installed")
    enter_own_world()
    return run_on_campus("drawn", options, run, is_apart=True)


if __name__ == "__main__":
    sys.exit(main())
