public import Events
public import Timetables

/// The bookings of a room in one week, cut at midnight and arranged side by side.
public struct WeekOfRoom: Hashable, Sendable {
    /// One of the seven days.
    public struct Day: Hashable, Sendable {
        public var day: LocalDay
        /// From midnight to midnight; an hour less or more where the clocks change.
        public var moments: Range<Timestamp>
        /// The bookings that fill the day, in order of time.
        public var allDay: [Booking]
        /// The others, in order of time.
        public var parts: [Part]

        /// All of the day in order of time; those that fill it come first.
        public var bookings: [RoomBooking] {
            allDay.map(\.booking) + parts.map(\.shown.booking)
        }
    }

    /// A booking, with its times as the building's clocks show them.
    public struct Booking: Hashable, Sendable {
        public var booking: RoomBooking
        public var starts: LocalTime
        public var ends: LocalTime
        /// Local time minus UTC at either end; they differ where the clocks change in between.
        var startOffsetSeconds: Int
        var endOffsetSeconds: Int
    }

    /// The part of a booking on one day.
    public struct Part: Hashable, Sendable {
        public var shown: Booking
        /// Minutes from midnight by the clock on the wall, within 0 to 1440.
        public var minutes: Range<Int>
        /// Whether the booking began on an earlier day, and whether it ends on a later one.
        public var isContinued: Bool
        public var continues: Bool
        /// Its place from the left among those of the same time, and how many places there are.
        public var lane: Int
        public var laneCount: Int
        /// The same for those of a day that share a time, directly or through others.
        public var cluster: Int
    }

    /// Hours that are shown, although nothing may be booked in them: those of the report's form.
    static let ordinaryHours = 8..<18
    /// The least minutes that a part fills, since a shorter one could not be read.
    static let leastMinutes = 20

    public let room: RoomID
    public let week: ISOWeek
    public let zone: ZoneOffsets
    /// From the first day's midnight to that after the last day.
    public let moments: Range<Timestamp>
    public let days: [Day]
    /// Every booking of the week once, in order of time.
    public let bookings: [Booking]

    /// - Parameters:
    ///   - bookings: in any order. Those of other rooms and other weeks are left out.
    ///   - zone: the offsets of the building's zone, for the week at least.
    public init(
        of room: RoomID, in week: ISOWeek, _ bookings: some Sequence<RoomBooking>, zone: ZoneOffsets
    ) {
        self.room = room
        self.week = week
        self.zone = zone
        let period =
            zone.moments(of: week.monday)
            .lowerBound..<zone.moments(of: week.monday.advanced(by: 6)).upperBound
        moments = period
        let shown = bookings.filter {
            $0.rooms.contains(room) && $0.starts < period.upperBound && $0.ends > period.lowerBound
        }.sorted(by: Self.isEarlier).map { Booking($0, zone) }
        self.bookings = shown
        days = week.days.map { Self.day($0, shown, zone) }
    }

    /// The hours that a picture shows: the ordinary ones, and more where something is booked.
    public var hours: Range<Int> {
        let parts = days.flatMap(\.parts)
        let first = parts.map { $0.minutes.lowerBound / 60 }.min() ?? Self.ordinaryHours.lowerBound
        let last = parts.map { ($0.minutes.upperBound + 59) / 60 }.max() ?? 0
        return min(first, Self.ordinaryHours.lowerBound)..<max(last, Self.ordinaryHours.upperBound)
    }

    public var isEmpty: Bool { bookings.isEmpty }

    private static func isEarlier(_ first: RoomBooking, _ second: RoomBooking) -> Bool {
        if first.starts != second.starts { return first.starts < second.starts }
        if first.ends != second.ends { return first.ends < second.ends }
        if first.title != second.title { return first.title < second.title }
        return "\(first.id)" < "\(second.id)"
    }

    private static func day(_ day: LocalDay, _ all: [Booking], _ zone: ZoneOffsets) -> Day {
        let moments = zone.moments(of: day)
        var allDay: [Booking] = []
        var parts: [Part] = []
        for shown in all
        where shown.booking.starts < moments.upperBound && shown.booking.ends > moments.lowerBound {
            let isContinued = shown.booking.starts < moments.lowerBound
            let continues = shown.booking.ends > moments.upperBound
            if shown.booking.starts <= moments.lowerBound,
                shown.booking.ends >= moments.upperBound
            {
                allDay.append(shown)
                continue
            }
            parts.append(
                Part(
                    shown: shown, minutes: minutes(of: shown, on: day), isContinued: isContinued,
                    continues: continues, lane: 0, laneCount: 1, cluster: 0))
        }
        return Day(day: day, moments: moments, allDay: allDay, parts: inLanes(parts))
    }

    /// The part's minutes on the wall. Where the clocks go back they may end before they begin;
    /// then the length counts.
    private static func minutes(of shown: Booking, on day: LocalDay) -> Range<Int> {
        let start = shown.starts.day < day ? 0 : shown.starts.minutes
        var end = shown.ends.day > day ? 1_440 : shown.ends.minutes
        if end <= start, shown.starts.day == day {
            end = start + Int((shown.booking.ends - shown.booking.starts) / 60_000_000)
        }
        let last = min(1_440, max(end, start + leastMinutes))
        return min(start, last - leastMinutes)..<last
    }

    /// Gives each part the leftmost lane that is free. Parts that follow one another without a gap
    /// share no time. The order stays.
    private static func inLanes(_ parts: [Part]) -> [Part] {
        var arranged = parts
        let order = parts.indices.sorted {
            let (first, second) = (parts[$0].minutes, parts[$1].minutes)
            return (first.lowerBound, -first.upperBound, $0)
                < (second.lowerBound, -second.upperBound, $1)
        }
        var group: [Int] = []
        var laneEnds: [Int] = []
        var cluster = 0
        func close() {
            for index in group {
                arranged[index].laneCount = laneEnds.count
                arranged[index].cluster = cluster
            }
            cluster += 1
        }
        for index in order {
            let minutes = arranged[index].minutes
            if laneEnds.allSatisfy({ $0 <= minutes.lowerBound }) {
                close()
                (group, laneEnds) = ([], [])
            }
            let lane = laneEnds.firstIndex { $0 <= minutes.lowerBound } ?? laneEnds.count
            if lane == laneEnds.count { laneEnds.append(0) }
            laneEnds[lane] = minutes.upperBound
            arranged[index].lane = lane
            group.append(index)
        }
        close()
        return arranged
    }
}

extension WeekOfRoom.Booking {
    init(_ booking: RoomBooking, _ zone: ZoneOffsets) {
        self.booking = booking
        starts = zone.local(booking.starts)
        ends = zone.local(booking.ends)
        startOffsetSeconds = zone.offsetSeconds(at: booking.starts)
        endOffsetSeconds = zone.offsetSeconds(at: booking.ends)
    }
}
