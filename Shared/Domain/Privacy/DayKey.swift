public import Events

/// The key of one site's pseudonyms for one day. The day begins at an hour of the site's own clock,
/// so it is not a day of UTC.
public struct DayKey: Hashable, Sendable {
    /// How long a key is kept after its day, for scans that come late.
    public static let keptMicroseconds: Int64 = 86_400_000_000
    public static let secretBytes = 32

    public var begins: Timestamp
    /// The first time that belongs to the next key.
    public var ends: Timestamp
    /// `secretBytes` random bytes.
    public var secret: [UInt8]

    public init(begins: Timestamp, ends: Timestamp, secret: [UInt8]) {
        self.begins = begins
        self.ends = ends
        self.secret = secret
    }

    /// The time from which on nobody has the key any more.
    public var forgotten: Timestamp { ends.advanced(byMicroseconds: Self.keptMicroseconds) }
}

/// The keys of one site that are known now, and the choice among them.
public struct DayKeys: Hashable, Sendable {
    /// The reason for which a time has no key.
    public enum Missing: Error, Hashable, Sendable {
        /// The keys have not come yet, or those here are of other days than now.
        case notYet
        /// The key of this time was deleted.
        case forgotten
        /// The time is so far ahead that the sender's clock must be wrong.
        case ahead
    }

    /// In the order of their days, without gaps.
    public let keys: [DayKey]

    public init(_ keys: some Sequence<DayKey>) {
        self.keys = keys.sorted { $0.begins < $1.begins }
    }

    /// The key of a scan.
    ///
    /// - Parameters:
    ///   - at: the time of the scan. A retry has the same, so it gets the same key.
    ///   - now: the time by the server's clock.
    public func key(at: Timestamp, now: Timestamp) throws(Missing) -> DayKey {
        if let key = keys.last(where: { $0.begins <= at && at < $0.ends }) {
            guard now < key.forgotten else { throw .forgotten }
            return key
        }
        guard at <= now.advanced(byMicroseconds: DayKey.keptMicroseconds) else { throw .ahead }
        // Yesterday's key may never have existed, at a site of today.
        guard at < now else { throw .notYet }
        // Keys that all begin later were made while a clock was ahead, and others will come.
        guard let first = keys.first, first.begins <= now, at < first.begins else {
            throw .notYet
        }
        throw .forgotten
    }
}

extension ScanRecorded {
    /// The skew of a sender's clock from which on its times are corrected before a key is chosen.
    private static let skewMicroseconds: Int64 = 3_600_000_000

    /// The time by which the day of a scan's key is chosen.
    ///
    /// It is the sender's own time, which is the same in each retry. A clock that is more than an
    /// hour off is corrected, as a Raspberry Pi's that begins in 1970.
    public var timeOfKey: Timestamp {
        guard let sentAt, abs(receivedAt - sentAt) > Self.skewMicroseconds else { return at }
        return correctedAt
    }
}
