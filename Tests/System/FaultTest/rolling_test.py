"""Restarts every service in turn while scans come in, as an upgrade of several processes does.

Each service is told to stop (SIGTERM), is started again, and has to be ready before it is the next one's
turn. Each accepted scan must have exactly one position in the log and one row in the view, and the
positions of a device must be in the order of its scans. With --before the services begin as programs of an
older release, and each restart upgrades one of them.

    rolling_test.py --bin FOLDER --log postgres|kafka [--scans 20000] [--rate 200] [--rounds 1]
                    [--before FOLDER] [--seed N] [--shared FOLDER] [--keep]

The last line of stdout is one JSON object, whose "wrong" says what is not as it must be; the exit
status is 0 when nothing is.
"""

import argparse
import sys
import time

from beside import Beside
from campus import Campus, add_options, run_on_campus, say
from counting import count, other_ends, out_of_order, settle
from programs import command


class Restarter(Beside):
    """Restarts each service in good order, one after the other, `rounds` times."""

    def __init__(self, campus: Campus):
        super().__init__()
        self.campus = campus
        self.seconds: dict[str, list[float]] = {name: [] for name in campus.names}

    def work(self):
        for _ in range(self.campus.options.rounds):
            for name in self.campus.names:
                service = self.campus.services[name]
                began = time.monotonic()
                service.stop()
                service.command = command(self.campus.bin, name.removesuffix("-2"))
                service.start()
                self.campus.wait_until_ready([name])
                self.seconds[name].append(round(time.monotonic() - began, 1))
                say(f"{name} is ready again")


def run(options, campus: Campus) -> tuple[dict, list[str]]:
    if options.before:
        for name, service in campus.services.items():
            service.command = command(options.before, name.removesuffix("-2"))
    campus.start()
    seconds = options.scans / options.rate
    campus.import_building(options.rate * 4, max(0.2, seconds * 1.02 / 60))
    accepted_file = campus.folder / "accepted.txt"
    restarter = Restarter(campus)
    load = campus.replay(options.rate, options.scans, accepted_file)
    restarter.start()
    while load.poll() is None:
        time.sleep(0.2)
    is_under_load = not restarter.is_alive()
    say("all is offered")
    restarter.join()
    accepted = set(accepted_file.read_text().split())
    settle(campus, len(accepted))
    campus.wait_until_ready()
    counted, wrong = count(campus, accepted)
    disordered = out_of_order(campus.values("scans"), campus.values("positions"))
    if disordered:
        wrong.append(f"{len(disordered)} scans were located after a later one of their device")
    if len(accepted) < options.scans:
        wrong.append(f"only {len(accepted)} of {options.scans} scans were accepted")
    if not is_under_load:
        wrong.append("the scans were over before every service was restarted: offer more")
    if restarter.failure:
        wrong.append(restarter.failure)
    return {
        "log": options.log, "seed": options.seed, "accepted": len(accepted), **counted,
        "restartSeconds": restarter.seconds,
    }, wrong + other_ends(campus)


def main() -> int:
    parser = argparse.ArgumentParser()
    add_options(parser)
    parser.add_argument("--scans", type=int, default=20_000)
    parser.add_argument("--rate", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--before", help="the folder of an older release's executables")
    options = parser.parse_args()
    return run_on_campus("rolling", options, run)


if __name__ == "__main__":
    sys.exit(main())
