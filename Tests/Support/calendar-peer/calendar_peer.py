"""Makes feeds from seeds, and expands them with icalendar and recurring-ical-events.

    calendar_peer.py FOLDER FIRST COUNT [TODAY]            feeds of a few events with all features
    calendar_peer.py FOLDER campus EVENTS ROOMS [TODAY]    one feed

For each feed NAME.ics there is NAME.tsv with a line for each instance: uid, start and end in seconds
in UTC, and 1 for all-day. The window is that of the file's first line: FROM and TO. Without TODAY
(2026-11-26), feeds are made for two days near changes of clocks.
"""

import datetime
import random
import sys
import zoneinfo

FLOATING = "Europe/London"
DAYS = "MO TU WE TH FR SA SU".split()
VTIMEZONES = {
    "Campus/Paris": ("Europe/Paris", "+0100", "+0200", "20001029T030000", "20000326T020000"),
}
# Two todays, each a few days before clocks change.
TODAYS = [datetime.datetime(2026, 3, 27, tzinfo=datetime.timezone.utc),
          datetime.datetime(2026, 10, 23, tzinfo=datetime.timezone.utc)]


def fold(line, rng):
    """Folds the line, often within a letter of several bytes."""
    data = line.encode()
    if len(data) < 60 or rng.random() < 0.3:
        return data
    cut = rng.randint(20, 58)
    return data[:cut] + b"\r\n " + data[cut:]


class Feed:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.today = TODAYS[seed % 2]
        self.lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//peer//EN"]
        self.own_zones()

    def own_zones(self):
        for name, (_, winter, summer, autumn, spring) in VTIMEZONES.items():
            self.lines += [
                "BEGIN:VTIMEZONE", f"TZID:{name}", "BEGIN:STANDARD", f"DTSTART:{autumn}",
                f"TZOFFSETFROM:{summer}", f"TZOFFSETTO:{winter}",
                "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "END:STANDARD", "BEGIN:DAYLIGHT",
                f"DTSTART:{spring}", f"TZOFFSETFROM:{winter}", f"TZOFFSETTO:{summer}",
                "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "END:DAYLIGHT", "END:VTIMEZONE"]

    def zone(self):
        return self.rng.choice(["UTC", None, "Europe/London", "America/New_York",
                                "Asia/Kolkata", "Australia/Lord_Howe", "Campus/Paris"])

    def time(self, name, when, zone):
        if zone == "date":
            return f"{name};VALUE=DATE:{when:%Y%m%d}"
        if zone == "UTC":
            return f"{name}:{when:%Y%m%dT%H%M%S}Z"
        if zone is None:
            return f"{name}:{when:%Y%m%dT%H%M%S}"
        return f"{name};TZID={zone}:{when:%Y%m%dT%H%M%S}"

    def rule(self, start, zone):
        rng = self.rng
        kinds = "DAILY WEEKLY WEEKLY MONTHLY YEARLY"
        kind = rng.choice(kinds.split() + ([] if zone == "date" else ["HOURLY"]))
        parts = [f"FREQ={kind}"]
        if rng.random() < 0.5 or kind == "HOURLY":
            parts.append(f"INTERVAL={rng.choice([5, 7, 11] if kind == 'HOURLY' else [1, 2, 3])}")
        day = DAYS[start.weekday()]
        if rng.random() < 0.6:
            self.day_parts(kind, start, day, parts)
        if rng.random() < 0.15 and kind != "HOURLY" and zone != "date":
            parts.append("BYHOUR=" + ",".join(sorted({str(start.hour), str(rng.randint(6, 20))})))
        if rng.random() < 0.3:
            parts.append("WKST=" + rng.choice(DAYS))
        end = rng.random()
        # The peer does not count a DTSTART that its rule leaves out: 0057, difference 5.
        if end < 0.35 and not any("BYSETPOS" in part for part in parts):
            parts.append(f"COUNT={rng.randint(2, 40)}")
        elif end < 0.7:
            until = start + datetime.timedelta(days=rng.randint(5, 500))
            if zone == "date":
                parts.append(f"UNTIL={until:%Y%m%d}")
            else:
                parts.append(f"UNTIL={until:%Y%m%dT%H%M%S}" + ("Z" if zone else ""))
        rng.shuffle(parts)
        return ";".join(parts)

    def day_parts(self, kind, start, day, parts):
        rng = self.rng
        if kind in ("WEEKLY", "DAILY", "HOURLY"):
            parts.append("BYDAY=" + ",".join({day, *rng.sample(DAYS, rng.randint(1, 3))}))
            if kind == "WEEKLY" and rng.random() < 0.2:
                parts.append(f"BYSETPOS={rng.choice([1, -1])}")
            return
        choice = rng.random()
        ordinal = (start.day - 1) // 7 + 1
        if choice < 0.35:
            parts.append(f"BYDAY={ordinal}{day},-1{rng.choice(DAYS)}")
            if kind == "YEARLY":
                parts.append(f"BYMONTH={start.month}")
        elif choice < 0.7:
            parts.append(f"BYMONTHDAY={start.day},{rng.choice([1, 15, 29, 30, 31, -1, -2])}")
            if rng.random() < 0.5:
                parts.append("BYMONTH=" + ",".join({str(start.month), str(rng.randint(1, 12))}))
        elif choice < 0.85:
            parts.append(f"BYDAY=MO,TU,WE,TH,FR;BYSETPOS={rng.choice(['1', '-1', '2,-2'])}")
        elif kind == "YEARLY":
            day_of_year = start.timetuple().tm_yday
            parts.append(rng.choice([f"BYYEARDAY={day_of_year},-1,366",
                                     f"BYWEEKNO={start.isocalendar()[1]},-1;BYDAY={day}"]))

    def event(self, number):
        rng, zone = self.rng, self.zone()
        if rng.random() < 0.2:
            zone = "date"
        start = self.today.replace(tzinfo=None) + datetime.timedelta(
            days=rng.randint(-300, 200), minutes=15 * rng.randint(0, 95))
        if rng.random() < 0.4:  # within the night of a change
            start = start.replace(hour=rng.choice([0, 1, 2, 3]))
        if zone == "Campus/Paris" and start.hour in (1, 2, 3):
            start = start.replace(hour=4)  # Difference 4: gaps of zones of the feed.
        uid = f"event-{number}"
        master = ["BEGIN:VEVENT", f"UID:{uid}", "DTSTAMP:20260101T000000Z",
                  self.time("DTSTART", start, zone)]
        length = datetime.timedelta(days=rng.randint(1, 3)) if zone == "date" \
            else datetime.timedelta(minutes=15 * rng.randint(0, 12))
        # Difference 1: an own end beyond a change of clocks.
        if rng.random() < 0.8 and (zone == "date" or start.hour > 4):
            master.append(self.time("DTEND", start + length, zone))
        elif zone == "date":
            master.append(f"DURATION:P{length.days}D")
        else:
            master.append(f"DURATION:PT{length.seconds // 60}M")
        master.append(f"SUMMARY:Prüfung {number}\\, Raum é {'ß' * 20}")
        overrides = []
        if rng.random() < 0.75:
            rule = self.rule(start, zone)
            master.append("RRULE:" + rule)
            weeks = rng.sample(range(1, 61), 7)
            # Differences 2 and 3: the peer compares by day, and EXDATE removes overrides.
            is_hourly = "HOUR" in rule
            for week in weeks[:0 if is_hourly else rng.randint(0, 3)]:
                master.append(self.time("EXDATE", start + datetime.timedelta(weeks=week), zone))
            for week in weeks[3:3 + rng.randint(0, 2)]:
                master.append(self.time("RDATE", start + datetime.timedelta(weeks=week), zone))
            for week in weeks[5:5 if is_hourly else 5 + rng.randint(0, 2)]:
                overrides.append(self.override(uid, start, zone, length, week))
        master.append(f"SEQUENCE:{rng.randint(0, 3)}")
        master.append("END:VEVENT")
        blocks = [master, *overrides]
        rng.shuffle(blocks)
        for block in blocks:
            self.lines += block

    def override(self, uid, start, zone, length, week):
        rng = self.rng
        original = start + datetime.timedelta(weeks=week)
        moved = original + datetime.timedelta(days=rng.choice([-400, -3, 0, 1, 5, 300]))
        if zone != "date":
            moved = moved.replace(hour=rng.randint(5, 20))
        return ["BEGIN:VEVENT", f"UID:{uid}", "DTSTAMP:20260101T000000Z",
                self.time("RECURRENCE-ID", original, zone), self.time("DTSTART", moved, zone),
                self.time("DTEND", moved + length, zone), "SUMMARY:Moved",
                f"SEQUENCE:{rng.randint(3, 5)}", "END:VEVENT"]

    def bytes(self):
        self.lines.append("END:VCALENDAR")
        end = self.rng.choice([b"\r\n", b"\n"])
        return end.join(fold(line, self.rng) for line in self.lines) + end


def campus(events, rooms):
    feed = Feed(0)
    for number in range(events):
        start = feed.today.replace(tzinfo=None) + datetime.timedelta(
            days=feed.rng.randint(-30, 300), minutes=30 * feed.rng.randint(16, 40))
        feed.lines += [
            "BEGIN:VEVENT", f"UID:campus-{number}", feed.time("DTSTART", start, "Europe/London"),
            feed.time("DTEND", start + datetime.timedelta(hours=1), "Europe/London"),
            f"LOCATION:Room {number % rooms}", f"SUMMARY:Lecture {number}"]
        if number % 10 == 0:
            feed.lines.append("RRULE:FREQ=WEEKLY;COUNT=11")
        feed.lines.append("END:VEVENT")
    return feed


def instances(data, begin, end):
    import icalendar
    import recurring_ical_events

    floating = zoneinfo.ZoneInfo(FLOATING)
    utc = datetime.timezone.utc
    calendar = icalendar.Calendar.from_ical(data)
    found = []
    # A day more on both sides, since all-day events of the peer have no zone.
    day = datetime.timedelta(days=1)
    for event in recurring_ical_events.of(calendar).between(begin - day, end + day):
        start, stop = event["DTSTART"].dt, event.get("DTEND", event["DTSTART"]).dt
        is_day = not isinstance(start, datetime.datetime)

        def seconds(time):
            if not isinstance(time, datetime.datetime):
                time = datetime.datetime.combine(time, datetime.time())
            if time.tzinfo is None:
                time = time.replace(tzinfo=floating)
            if time.astimezone(utc).astimezone(time.tzinfo).replace(tzinfo=None) != time.replace(tzinfo=None):
                # Difference 4: the time lies in a gap, so the offset before the gap counts.
                before = (time - datetime.timedelta(hours=6)).utcoffset()
                time = time.replace(tzinfo=datetime.timezone(before))
            return int(time.astimezone(utc).timestamp())

        first, last = seconds(start), seconds(stop)
        if not is_day:
            # Difference 1: every instance has the same exact length.
            last = first + int((stop.replace(tzinfo=None)
                                - start.replace(tzinfo=None)).total_seconds())
        if first < end.timestamp() and (last > begin.timestamp()
                                        or first == last >= begin.timestamp()):
            found.append((str(event["UID"]), first, last, int(is_day)))
    return sorted(found)


def write(folder, name, feed):
    begin = feed.today - datetime.timedelta(days=7)
    end = feed.today + datetime.timedelta(days=400)
    data = feed.bytes()
    with open(f"{folder}/{name}.ics", "wb") as file:
        file.write(data)
    with open(f"{folder}/{name}.tsv", "w") as file:
        print(int(begin.timestamp()), int(end.timestamp()), sep="\t", file=file)
        for row in instances(data, begin, end):
            print(*row, sep="\t", file=file)


def main():
    folder = sys.argv[1]
    is_campus = sys.argv[2] == "campus"
    for text in sys.argv[5 if is_campus else 4:]:
        day = datetime.datetime.fromisoformat(text).replace(tzinfo=datetime.timezone.utc)
        TODAYS[:] = [day, day]
    if is_campus:
        write(folder, "campus", campus(int(sys.argv[3]), int(sys.argv[4])))
        return
    for seed in range(int(sys.argv[2]), int(sys.argv[2]) + int(sys.argv[3])):
        feed = Feed(seed)
        for number in range(feed.rng.randint(2, 6)):
            feed.event(number)
        write(folder, f"feed-{seed}", feed)


if __name__ == "__main__":
    main()
