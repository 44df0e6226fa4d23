// When something is closed: outages, and opening hours that the service has parsed.

const DAY_MINUTES = 1440;

/** Whether an outage holds at a moment. */
export function isActive(outage, at) {
  return Date.parse(outage.from) <= at && (!outage.until || at < Date.parse(outage.until));
}

/** Whether rules of opening hours hold at a local time, given as if it were UTC. */
export function isOpen(rules, local) {
  const minutes = Math.floor(local / 60000);
  const day = Math.floor(minutes / DAY_MINUTES);
  const minute = minutes - day * DAY_MINUTES;
  const holds = (on, at) => {
    const spans = minutesOn(rules, on);
    for (let i = 0; i < spans.length; i += 2) {
      if (spans[i] <= at && at < spans[i + 1]) return true;
    }
    return false;
  };
  return holds(day, minute) || holds(day - 1, minute + DAY_MINUTES);
}

/** The first and last minutes of a day's spans: the last rule for the day counts. */
function minutesOn(rules, day) {
  const weekday = (((day + 3) % 7) + 7) % 7;
  const date = new Date(day * DAY_MINUTES * 60000);
  const place = (date.getUTCMonth() + 1) * 32 + date.getUTCDate();
  for (let i = rules.length - 1; i >= 0; i -= 1) {
    const rule = rules[i];
    const onDay = !rule.weekdays.length || rule.weekdays.indexOf(weekday) >= 0;
    let onDate = !rule.dates.length;
    for (let j = 0; j < rule.dates.length; j += 2) {
      if (rule.dates[j] <= place && place <= rule.dates[j + 1]) onDate = true;
    }
    if (onDay && onDate) return rule.minutes;
  }
  return [];
}

/** A function that tells by how many milliseconds clocks are ahead of UTC. */
export function clockOf(timeZone) {
  let format = null;
  try {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric',
      hour: 'numeric', minute: 'numeric',
    });
  } catch (unknownZone) {
    return () => 0;
  }
  const known = new Map();
  return (at) => {
    const quarter = Math.floor(at / 900000);
    if (!known.has(quarter)) {
      const begin = quarter * 900000;
      const parts = {};
      format.formatToParts(new Date(begin)).forEach((one) => {
        parts[one.type] = Number(one.value);
      });
      const local = Date.UTC(
        parts.year, parts.month - 1, parts.day, parts.hour % 24, parts.minute);
      known.set(quarter, local - begin);
    }
    return known.get(quarter);
  };
}
