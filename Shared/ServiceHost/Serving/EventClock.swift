import Cryptography
public import Events

/// Gives the time, and new ids for events. Tests set the time and count the ids.
public struct EventClock: Sendable {
    private let time: @Sendable () -> Timestamp
    private let identify: @Sendable (_ now: Timestamp) -> EventID

    /// - Parameter identify: returns a new id for an event that happens now.
    public init(
        time: @escaping @Sendable () -> Timestamp,
        identify: @escaping @Sendable (_ now: Timestamp) -> EventID = Self.ordered
    ) {
        self.time = time
        self.identify = identify
    }

    public var now: Timestamp { time() }

    public func newEventID() -> EventID { identify(now) }

    /// A new id of version 7, which begins with the time.
    public static let ordered: @Sendable (_ now: Timestamp) -> EventID = { now in
        let id = UniqueIdentifier(millisecondsSinceEpoch: now.milliseconds)
        return EventID(high: id.high, low: id.low)
    }
}
