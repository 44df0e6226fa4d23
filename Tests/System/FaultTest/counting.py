"""Counts what went in against what came out, from log and tables alone."""

import collections
import json
import subprocess
import time


def faults(seen: list[str], accepted: set[str]) -> dict:
    """How many accepted ids are missing, and how many ids came more than once."""
    times = collections.Counter(seen)
    return {
        "missing": sum(1 for identifier in accepted if times[identifier] == 0),
        "doubled": sum(1 for count in times.values() if count > 1),
        # A sender that gave up before it heard of its acceptance: no fault.
        "notAccepted": sum(1 for identifier in times if identifier not in accepted),
    }


def told(what: str, where: str, kept: dict) -> list[str]:
    """The sentences that a count of faults deserves; none when there is no fault."""
    sentences = {"missing": f"an accepted {what} is not {where}",
                 "doubled": f"a {what} is {where} more than once"}
    return [f"{kept[fault]} times {sentence}"
            for fault, sentence in sentences.items() if kept[fault]]


def settle(campus, wanted: int, seconds: float = 600, standstill: float = 120):
    """Waits until the view holds what is wanted and grows no more.

    Gives up when nothing more can come, all services being at the end of the log; else, where the
    log does not tell that, when nothing has come for so long that a loaded machine does not explain
    it.
    """
    deadline = time.monotonic() + seconds
    before, since = -1, time.monotonic()
    while time.monotonic() < deadline:
        try:
            now = int(campus.postgres.query("SELECT count(*) FROM locator.positions")[0][0])
        except subprocess.CalledProcessError:
            time.sleep(1)
            continue
        if now != before:
            before, since = now, time.monotonic()
        still = time.monotonic() - since
        if still > (4 if now >= wanted or campus.is_all_located() else standstill):
            return
        time.sleep(1)


def changed(campus, positioner: str) -> tuple[int, int]:
    """How many positions, but for their times, and how many events of visits are not those that one
    pass over the log gives, which nothing disturbs."""
    positions, visits = campus.folder / "relocated.jsonl", campus.folder / "visits.jsonl"
    campus.tool("relocate", "--since", "2026-01-01T00:00:00Z", "--positioner", positioner,
                "--out", positions, "--visits", visits, stdout=subprocess.DEVNULL)

    def lines(file) -> list[dict]:
        return [json.loads(line) for line in file.read_text().splitlines()]

    def by_scan(positions) -> dict:
        # `motion` is told by the scan alone, which relocate leaves aside.
        return {position["scanId"]: {key: value for key, value in position.items()
                                     if key not in ("locatedAt", "motion")}
                for position in positions}

    again, served = by_scan(lines(positions)), by_scan(campus.values("positions"))
    differing = sum(1 for scan in served.keys() | again.keys()
                    if served.get(scan) != again.get(scan))
    return differing, changed_visits(campus.values("visits"), lines(visits))


def changed_visits(served: list[dict], again: list[dict]) -> int:
    """How many beginnings and ends of visits are in one list alone, differ, or come twice."""
    def by_event(events: list[dict]) -> dict[tuple, list[dict]]:
        kept: dict[tuple, list[dict]] = {}
        for event in events:
            kept.setdefault((event["visit"], "left" in event), []).append(event)
        return kept

    ours, theirs = by_event(served), by_event(again)

    def is_by_time(key: tuple) -> bool:
        """Whether the log's time alone has ended it, after the last scan; the pass has no time."""
        identifier, is_end = key
        return (is_end and key not in theirs and (identifier, False) in theirs
                and len(ours[key]) == 1 and ours[key][0].get("reason") != "left")

    return sum(1 for key in ours.keys() | theirs.keys()
               if ours.get(key) != theirs.get(key) and not is_by_time(key))


def out_of_order(scans: list[dict], positions: list[dict]) -> list[str]:
    """Scans that were located after a later one of their device, by their order in the log.

    A scan may be in the log more than once; the first counts. Late ones may come at any time.
    """
    places: dict[str, int] = {}
    for scan in scans:
        # Times that the locator appends between the scans have no device.
        if "device" in scan:
            places.setdefault(scan["id"], len(places))
    newest: dict[tuple, int] = {}
    wrong = []
    for position in positions:
        place = places.get(position["scanId"])
        if place is None or position["late"]:
            continue
        device = (position["site"], position["device"])
        if place < newest.get(device, -1):
            wrong.append(position["scanId"])
        newest[device] = max(place, newest.get(device, -1))
    return wrong


def missing_letters(values: list[dict]) -> list[dict]:
    """The letters of records that were set aside and not put back: what was accepted is lost that long."""
    def place(value: dict) -> tuple:
        return (value["topic"], value["partition"], value["offset"], value.get("consumer"))

    put_back = {place(value) for value in values if "code" not in value}
    return [value for value in values if "code" in value and place(value) not in put_back]


def count(campus, accepted: set[str]) -> tuple[dict, list[str]]:
    """The positions in log and view, each against the accepted ids and against each other."""
    in_log = [position["scanId"] for position in campus.values("positions")]
    in_view = [row[0] for row in campus.postgres.query("SELECT scan_id FROM locator.positions")]
    log, view = faults(in_log, accepted), faults(in_view, accepted)
    # Of each device the newest position that was not late.
    wrong_latest = int(campus.postgres.query("""
        SELECT count(*) FROM (
            SELECT site, device, max(at) AS at FROM locator.positions WHERE NOT late GROUP BY 1, 2
        ) AS newest FULL JOIN locator.latest_positions AS latest USING (site, device)
        WHERE newest.at IS DISTINCT FROM latest.at""")[0][0])
    set_aside = missing_letters(campus.values("dead-letters"))
    complaints = (told("scan's position", "in the log", log)
                  + told("scan's position", "in the view", view))
    if sorted(in_log) != sorted(in_view):
        complaints.append(
            f"log and view differ by {len(set(in_log) ^ set(in_view))} scans' positions")
    if wrong_latest:
        complaints.append(f"of {wrong_latest} devices the latest position is not the newest")
    complaints += [f"lost: set aside: {letter.get('topic')} {letter.get('code')} {letter.get('detail')}"
                   for letter in set_aside[:5]]
    return {
        "positionsInLog": len(in_log), "positionsInView": len(in_view), "logFaults": log,
        "viewFaults": view, "wrongLatest": wrong_latest, "deadLetters": len(set_aside),
    }, complaints


def other_ends(campus) -> list[str]:
    """A sentence for each end of a process that was no kill and no stop."""
    return [f"{name} ended with {end}; it said: {campus.last_words(name)}"
            for name, service in campus.services.items() for end in service.failures]
