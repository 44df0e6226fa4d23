"""Faults drawn from a seed: what happens to whom, when, and for how long."""

import dataclasses
import random

# Seconds that a fault lasts. A kill lasts for no time: what was killed is started at once.
LENGTHS = {"kill": 0, "kill-in-turn": 20, "kill-all": 0,
           "pause": 25, "disk": 25, "cut": 30, "clock": 30}
# Seconds from one fault's end to the next of the same target: a server is back by then.
APART = 15


@dataclasses.dataclass
class Fault:
    kind: str
    target: str
    moment: float = 0.0

    @property
    def length(self) -> float:
        return LENGTHS[self.kind]

    @property
    def end(self) -> float:
        return self.moment + self.length

    def leaves_alone(self, other: "Fault") -> bool:
        """Whether they have no target in common, or so far apart that it is back between them."""
        both = [self.target, other.target]
        if self.target != other.target and not (
                "brokers" in both and all(target.startswith("broker") for target in both)):
            return True
        first, second = sorted([self, other], key=lambda one: one.moment)
        return first.end + APART < second.moment

    def __str__(self) -> str:
        return f"{self.moment:6.1f} s  {self.kind} {self.target}, {self.length} s"


def overlapping(plan: list[Fault]) -> int:
    """How many faults begin while another lasts."""
    return sum(1 for one in plan if any(
        other is not one and other.moment <= one.moment < other.end for other in plan))


def draw(seed: int, faults: int, wanted: int, seconds: float, services: list[str],
         servers: list[str]) -> list[Fault]:
    """The plan for a load of so many seconds, in the order of time.

    First one fault of each kind, then all else that must be, then others, as far as the number
    goes. At least `wanted` begin while another lasts, and none while its own target has one.
    """
    generator = random.Random(seed)
    brokers = [server for server in servers if server != "postgres"]
    filled = [server for server in servers if server in ("postgres", "broker-1")]
    locators = [service for service in services if service.startswith("locator")]
    together = [Fault("kill-in-turn", "brokers"), Fault("kill-all", "brokers")]
    kills = [Fault("kill", one) for one in services + servers]
    pauses = [Fault("pause", one) for one in services + servers]
    disks = [Fault("disk", one) for one in filled]
    cuts = [Fault("cut", one) for one in servers]
    clocks = [Fault("clock", one) for one in locators]
    groups = [kills, pauses, disks, cuts, clocks]
    for group in groups:
        generator.shuffle(group)
    must = [group[0] for group in groups]
    rest = [*kills, *disks, *[cut for cut in cuts if cut.target == "postgres"], *cuts[:2],
            *[pause for pause in pauses if pause.target == servers[-1]]]
    if len(brokers) > 1:
        # All of them by these; single ones may come besides.
        rest = together + [one for one in rest
                           if one.kind != "kill" or one.target not in brokers]
    chosen: list[Fault] = []
    for one in must + rest:
        if one not in chosen:
            chosen.append(one)
    while len(chosen) < faults:
        chosen.append(dataclasses.replace(generator.choice(generator.choice(groups))))
    chosen = chosen[:faults]
    for _ in range(1000):
        plan: list[Fault] = []
        # The long ones first, as long as there is room.
        for one in sorted(chosen, key=lambda one: -one.length):
            for _ in range(100):
                one.moment = round(generator.uniform(0.03, 0.9) * seconds, 1)
                if all(one.leaves_alone(other) for other in plan):
                    plan.append(one)
                    break
        if len(plan) == len(chosen) and overlapping(plan) >= wanted:
            return sorted(plan, key=lambda one: one.moment)
    raise SystemExit(f"{faults} faults find no room in {seconds} s")
