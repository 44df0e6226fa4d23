import Events

/// When the scans of a file are sent, and the times that they state.
///
/// A scan states the time at which it is sent, or its recorded time moved by a constant. With the
/// first, people seem to run where a file is sent faster than it was recorded. With the second, a
/// fast replay runs ahead of the server's clock, and a slow one behind it. The server bears both
/// for a while only.
struct ReplayTimes: Sendable {
    enum Pace: Hashable, Sendable {
        /// As recorded, so many times as fast.
        case times(Double)
        /// So many scans a second.
        case perSecond(Double)
    }

    /// The most that a scan may lie ahead of its sending. The server accepts an hour, and a file is
    /// sent no faster than at its pace.
    static let mostSecondsAhead = 3_540.0
    /// The most that it may lie behind. The server counts a scan as late after five minutes, and
    /// sending may fall behind its pace.
    static let mostSecondsBehind = 240.0

    private let pace: Pace
    private let keeps: Bool
    private let first: Timestamp

    /// - Parameters:
    ///   - keeps: whether scans keep their distances in time.
    ///   - recorded: the times of the file's scans, of which there is one at least.
    /// - Throws: `UsageFault` if times are kept and the server would refuse some, or count them as
    ///   late.
    init(_ pace: Pace, keeps: Bool, recorded: [Timestamp]) throws(UsageFault) {
        self.pace = pace
        self.keeps = keeps
        first = recorded[0]
        guard keeps else { return }
        let ahead = secondsAhead(of: recorded)
        guard ahead.upperBound <= Self.mostSecondsAhead else {
            throw UsageFault(
                "with --keep-times a scan would be \(Self.minutes(ahead.upperBound)) ahead of the "
                    + "server's clock, which accepts an hour: send slower, or fewer by --limit")
        }
        guard ahead.lowerBound >= -Self.mostSecondsBehind else {
            throw UsageFault(
                "with --keep-times a scan would be \(Self.minutes(-ahead.lowerBound)) old when it "
                    + "is sent, and count as late after five: send faster, or fewer by --limit")
        }
    }

    /// The seconds after the first scan at which a scan is due.
    func secondsUntil(_ index: Int, at recorded: Timestamp) -> Double {
        switch pace {
        case .times(let speed): Double(recorded - first) / 1e6 / speed
        case .perSecond(let rate): Double(index) / rate
        }
    }

    /// The time that a scan states.
    ///
    /// - Parameters:
    ///   - began: when the replay began, which is the time of its first scan.
    ///   - now: the time of sending.
    func stated(of recorded: Timestamp, began: Timestamp, now: Timestamp) -> Timestamp {
        keeps ? began.advanced(byMicroseconds: recorded - first) : now
    }

    /// Advice for a person who lets people run or creep, and need not; else nil.
    func advice(recorded: [Timestamp]) -> String? {
        let ahead = secondsAhead(of: recorded)
        guard !keeps, let last = recorded.last, ahead.upperBound <= Self.mostSecondsAhead,
            ahead.lowerBound >= -Self.mostSecondsBehind
        else { return nil }
        let sending = secondsUntil(recorded.count - 1, at: last)
        guard sending > 0, last > first else { return nil }
        let factor = Double(last - first) / 1e6 / sending
        guard factor > Self.plainFactor || factor < 1 / Self.plainFactor else { return nil }
        return "the scans state the times at which they are sent, so people seem to move "
            + "\((factor * 10).rounded() / 10) times as fast as recorded; --keep-times prevents it"
    }

    /// Up to so many times as fast, nobody seems to run.
    private static let plainFactor = 1.5

    /// How far kept times are ahead of the sending, least and most.
    private func secondsAhead(of recorded: [Timestamp]) -> ClosedRange<Double> {
        var (least, most) = (0.0, 0.0)
        for (index, time) in recorded.enumerated() {
            let ahead = Double(time - first) / 1e6 - secondsUntil(index, at: time)
            (least, most) = (min(least, ahead), max(most, ahead))
        }
        return least...most
    }

    private static func minutes(_ seconds: Double) -> String {
        "\(Int((seconds / 60).rounded(.up))) minutes"
    }
}
