import Events

/// Counts bookings by the weeks of a horizon in which they begin or go on.
struct WeekCounts {
    private static let week = 7 * TimetableHorizon.microsecondsPerDay

    /// None in each week.
    let none: [Int]
    private let horizon: TimetableHorizon
    private let first: Int64
    private var all: [Int]

    init(_ horizon: TimetableHorizon) {
        self.horizon = horizon
        first = horizon.begins.microseconds / Self.week
        let last = horizon.ends.microseconds / Self.week
        none = [Int](repeating: 0, count: Int(last - first) + 1)
        all = none
    }

    /// The places of the weeks of a booking that meets the horizon.
    func weeks(of booking: RoomBooking) -> ClosedRange<Int> {
        let starts = max(booking.starts, horizon.begins).microseconds
        let ends = min(booking.ends, horizon.ends).microseconds
        let begins = Int(starts / Self.week - first)
        return begins...max(begins, Int(ends / Self.week - first))
    }

    /// Whether one of the weeks has so many bookings.
    func has(_ count: Int, in weeks: ClosedRange<Int>) -> Bool {
        all[weeks].contains { $0 >= count }
    }

    mutating func add(_ weeks: ClosedRange<Int>) {
        for week in weeks { all[week] += 1 }
    }
}
