public import Events
import Numbers
import Positioning

/// The parts of one scan that count for whether it is new, and whether it is late.
public struct ScanSighting: Hashable, Sendable {
    /// `hash(of:)` the scan's id.
    public var idHash: UInt64
    public var contentHash: UInt32
    /// The time at which the scan was made, corrected by the sender's clock skew.
    public var at: Timestamp
    public var arrivedAt: Timestamp

    public init(idHash: UInt64, contentHash: UInt32, at: Timestamp, arrivedAt: Timestamp) {
        self.idHash = idHash
        self.contentHash = contentHash
        self.at = at
        self.arrivedAt = arrivedAt
    }

    public init(_ scan: ScanRecorded) {
        self.init(
            idHash: Self.hash(of: scan.id),
            contentHash: ContentHash.folded(ContentHash.of(scan)), at: scan.correctedAt,
            arrivedAt: scan.receivedAt)
    }

    /// The scan's time, limited to its arrival. Otherwise a clock that runs ahead once would make
    /// every later scan late.
    var countable: Timestamp { min(at, arrivedAt) }
}

extension ScanSighting {
    /// In place of the hash of a content that nobody knows any more. Any content is the same then.
    static let unknownContent = UInt32.max

    /// An id has two words. One is mixed first, because ids with a pattern could otherwise have the
    /// same hash.
    public static func hash(of id: EventID) -> UInt64 {
        var mixed = SplitMix64(seed: id.high)
        return mixed.next() ^ id.low
    }

    /// A placeholder for a scan that is located without a device.
    static let unasked = ScanSighting(
        idHash: 0, contentHash: 0, at: Timestamp(microseconds: 0),
        arrivedAt: Timestamp(microseconds: 0))
}

/// When a device was heard of.
public struct DeviceTimes: Hashable, Sendable {
    /// The time at which its newest scan was made.
    public var newestScan: Timestamp
    /// The time at which its last scan arrived.
    public var lastArrival: Timestamp

    public init(newestScan: Timestamp, lastArrival: Timestamp) {
        self.newestScan = newestScan
        self.lastArrival = lastArrival
    }

    init(_ sighting: ScanSighting) {
        self.init(newestScan: sighting.countable, lastArrival: sighting.arrivedAt)
    }

    /// The times after another scan, or after times from elsewhere.
    func joined(with other: DeviceTimes) -> DeviceTimes {
        DeviceTimes(
            newestScan: max(newestScan, other.newestScan),
            lastArrival: max(lastArrival, other.lastArrival))
    }
}
