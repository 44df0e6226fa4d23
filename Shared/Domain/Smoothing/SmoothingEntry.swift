public import Events

/// A position that waits to be smoothed, or was given out and is evidence for others.
public struct SmoothingEntry: Hashable, Sendable {
    public var position: PositionEstimated
    /// When the log received the position.
    public var appendedAt: Timestamp
    public var isGivenOut: Bool

    public init(_ position: PositionEstimated, appendedAt: Timestamp, isGivenOut: Bool = false) {
        self.position = position
        self.appendedAt = appendedAt
        self.isGivenOut = isGivenOut
    }

    /// The position's place in its window. A sender's clock may be ahead by an hour.
    var order: Timestamp { min(position.at, appendedAt) }

    /// The log's time from which on nothing more is waited for.
    func due(_ rules: SmoothingRules) -> Timestamp {
        appendedAt.advanced(
            byMicroseconds: rules.smoother.lagMicroseconds + rules.allowanceMicroseconds)
    }

    /// The log's time from which on a position that was given out is no evidence any more.
    func end(_ rules: SmoothingRules) -> Timestamp {
        appendedAt.advanced(byMicroseconds: rules.rememberedMicroseconds)
    }
}

/// One position of a device, as the state is stored.
public struct SmoothingPlace: Hashable, Sendable, Comparable {
    public var device: DeviceKey
    public var position: EventID

    public init(_ device: DeviceKey, _ position: EventID) {
        self.device = device
        self.position = position
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.device, left.position) < (right.device, right.position)
    }
}
