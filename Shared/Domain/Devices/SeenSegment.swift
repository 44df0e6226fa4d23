public import Events

/// The scans of one partition from about five minutes, as the topic `locator-state` has them.
public struct SeenSegment: Hashable, Sendable {
    /// Counts the partition's segments.
    public var number: UInt32
    /// The time at which the log appended the newest of its scans.
    public var lastAppended: Timestamp
    /// Hashes of ids and devices together; never zero.
    public var idHashes: [UInt64]
    /// One for each id.
    public var contentHashes: [UInt32]
    /// Hashes of the devices that had one of these scans.
    public var deviceHashes: [UInt64]
    /// For each device, the time at which its newest scan was made.
    public var newestScans: [Timestamp]

    public init(
        number: UInt32, lastAppended: Timestamp, idHashes: [UInt64], contentHashes: [UInt32],
        deviceHashes: [UInt64], newestScans: [Timestamp]
    ) {
        self.number = number
        self.lastAppended = lastAppended
        self.idHashes = idHashes
        self.contentHashes = contentHashes
        self.deviceHashes = deviceHashes
        self.newestScans = newestScans
    }

    /// The most ids in a segment, which takes 400 kB if each has a device of its own.
    public static let mostIDs = 16_384
}

/// The scans of one device as former releases stored them, 64 in a record.
public struct FormerBucket: Hashable, Sendable {
    public static let mostIDs = 64

    /// Counts the device's buckets.
    public var number: UInt32
    /// The time of the device's newest scan.
    public var newestScan: Timestamp
    /// The time of the last arrival in the bucket.
    public var lastArrival: Timestamp
    /// Hashes of ids alone.
    public var idHashes: [UInt64]
    public var contentHashes: [UInt32]

    public init(
        number: UInt32, newestScan: Timestamp, lastArrival: Timestamp, idHashes: [UInt64],
        contentHashes: [UInt32]
    ) {
        self.number = number
        self.newestScan = newestScan
        self.lastArrival = lastArrival
        self.idHashes = idHashes
        self.contentHashes = contentHashes
    }
}
