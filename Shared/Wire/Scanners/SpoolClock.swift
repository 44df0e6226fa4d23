public import Events

/// The clock by which the times of a kept record were taken.
///
/// A machine without a battery for its clock starts with an old time, and the network sets it
/// later. Then `at` and the time of sending are of two clocks, and the difference says nothing.
public struct SpoolClock: Hashable, Sendable {
    /// A smaller step is not told from the pause between the readings of two clocks.
    private static let leastStepMicroseconds: UInt64 = 1_000_000
    /// A time that is further off was taken by another clock, or long before it is kept.
    private static let farthestMicroseconds: UInt64 = 60_000_000
    private static let beforeBoot = Array("{\"boot\":\"".utf8)
    private static let beforeStart = Array("\",\"startedAt\":".utf8)

    /// The id of the machine's run, without quotes.
    let boot: String
    /// When the machine started, by this clock. It changes only where the clock is set.
    let startedAt: Timestamp

    public init(boot: String, startedAt: Timestamp) {
        self.boot = boot
        self.startedAt = startedAt
    }

    /// Whether a record's time may be by the machine's clock, which shows `now` as it is kept.
    public static func mayHaveTaken(_ time: Timestamp, now: Timestamp) -> Bool {
        (time - now).magnitude <= farthestMicroseconds
    }

    /// The time that this clock would show if nobody had set it.
    ///
    /// - Parameters:
    ///   - time: the time by the machine's clock of now.
    ///   - present: that clock. One of another run says nothing, so the time stays.
    func shown(at time: Timestamp, by present: SpoolClock?) -> Timestamp {
        guard let present, present.boot == boot else { return time }
        let step = startedAt - present.startedAt
        guard step.magnitude >= Self.leastStepMicroseconds else { return time }
        return time.advanced(byMicroseconds: step)
    }

    /// Notes this clock in the JSON of a record, as its first members.
    func note(in record: [UInt8]) -> [UInt8] {
        let start = startedAt.microseconds
        return Array("{\"boot\":\"\(boot)\",\"startedAt\":\(start),".utf8) + record.dropFirst()
    }

    /// Separates a record from the clock that is noted in it. Records of earlier releases have
    /// none.
    static func separate(_ noted: [UInt8]) -> (clock: SpoolClock?, record: [UInt8]) {
        guard noted.starts(with: beforeBoot) else { return (nil, noted) }
        let text = noted.dropFirst(beforeBoot.count)
        guard let quote = text.firstIndex(of: UInt8(ascii: "\"")),
            text[quote...].starts(with: beforeStart)
        else { return (nil, noted) }
        let number = text[quote...].dropFirst(beforeStart.count)
        guard let comma = number.firstIndex(of: UInt8(ascii: ",")),
            let start = Int64(String(decoding: number[..<comma], as: UTF8.self))
        else { return (nil, noted) }
        let clock = SpoolClock(
            boot: String(decoding: text[..<quote], as: UTF8.self),
            startedAt: Timestamp(microseconds: start))
        return (clock, [UInt8(ascii: "{")] + number[(comma + 1)...])
    }
}
