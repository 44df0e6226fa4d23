public import Events
import Numbers
import Positioning

/// The parts of one scan that a device's history needs.
public struct ScanSighting: Hashable, Sendable {
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
}

extension ScanSighting {
    /// In place of the hash of a content that nobody knows any more. Any content is the same then.
    static let unknownContent = UInt32.max

    /// Both words of the id count; one is mixed so that they cannot cancel each other.
    public static func hash(of id: EventID) -> UInt64 {
        var mixed = SplitMix64(seed: id.high)
        return mixed.next() ^ id.low
    }

    /// A placeholder for a scan that is located without a history.
    static let unasked = ScanSighting(
        idHash: 0, contentHash: 0, at: Timestamp(microseconds: 0),
        arrivedAt: Timestamp(microseconds: 0))
}

/// Whether a scan is new to a device's history.
public enum ScanOutcome: Hashable, Sendable {
    case new(isLate: Bool)
    /// The id was seen before with the same content.
    case duplicate
    /// The id was seen before with other content.
    case conflict
}

/// The scans of one device in the last 24 hours, as hashes, and the time of its newest scan.
///
/// Ids lie in buckets of 64. Only the newest bucket changes, and a full one is never written again.
/// So the state to store for one scan stays under a kilobyte, however busy the device is.
///
/// An index finds ids beyond the first few buckets, so that the thousandth scan of a day costs no
/// more than the first. It is built again where it is missing, and does not count in comparisons.
public struct DeviceHistory: Hashable, Sendable {
    public static let idsPerBucket = 64
    /// The most buckets that are remembered, over a million scans. At five scans a second that is
    /// more than two days.
    public static let maximumBuckets = 16_384
    /// Up to this many buckets are searched one by one, without the index.
    private static let searchedBuckets = 4
    public static let keptSeconds: Int64 = 24 * 60 * 60

    /// Up to 64 scans in the order of their arrival.
    public struct Bucket: Hashable, Sendable {
        /// Counts the device's buckets from 0.
        public var number: UInt32
        /// The time of the device's newest scan when the bucket was last written, by the scans' own
        /// clock.
        public var newestScan: Timestamp
        /// The time of the last arrival in the bucket.
        public var lastArrival: Timestamp
        public var idHashes: [UInt64]
        /// One hash for each id.
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

        public var isFull: Bool { idHashes.count >= DeviceHistory.idsPerBucket }
    }

    /// The records to store after a scan.
    public struct Change: Hashable, Sendable {
        /// The bucket to write under its number.
        public var written: Bucket
        /// The numbers of buckets that are out of date and may be deleted.
        public var expired: [UInt32]
    }

    /// Ascending by number.
    public private(set) var buckets: [Bucket]
    private var index = ScanIDIndex()

    /// The history of a new device.
    public init() { buckets = [] }

    /// Makes a history from stored buckets in any order. If two have the same number, the later one
    /// counts.
    public init(buckets: some Sequence<Bucket>) {
        self.init()
        for bucket in buckets { restore(bucket) }
    }

    /// Adds a stored bucket, or replaces the one with its number. The log has buckets in the order
    /// of their numbers, except one that was written again.
    mutating func restore(_ bucket: Bucket) {
        let place = place(of: bucket.number)
        if place < buckets.count, buckets[place].number == bucket.number {
            buckets[place] = bucket
        } else {
            buckets.insert(bucket, at: place)
        }
        // The next scan builds the index again; before that many more buckets may be restored.
        index = ScanIDIndex()
    }

    /// Removes a bucket whose record was removed.
    mutating func forget(_ number: UInt32) {
        let place = place(of: number)
        guard place < buckets.count, buckets[place].number == number else { return }
        buckets.remove(at: place)
        index = ScanIDIndex()
    }

    /// The position of the bucket with this number, or where it would be inserted.
    private func place(of number: UInt32) -> Int {
        var place = buckets.count
        while place > 0, buckets[place - 1].number >= number { place -= 1 }
        return place
    }

    public static func == (one: Self, other: Self) -> Bool { one.buckets == other.buckets }

    public func hash(into hasher: inout Hasher) { hasher.combine(buckets) }

    /// The time at which the device's newest scan was made.
    public var newestScan: Timestamp? { buckets.last?.newestScan }

    /// Decides whether the scan is new, a duplicate or a conflict, and whether it is late.
    public func decide(_ sighting: ScanSighting) -> ScanOutcome {
        if let known = contentHash(of: sighting.idHash) {
            let isSame =
                known == sighting.contentHash || known == ScanSighting.unknownContent
            return isSame ? .duplicate : .conflict
        }
        return .new(
            isLate: Lateness.isLate(
                at: sighting.at, arrivedAt: sighting.arrivedAt, newest: newestScan))
    }

    /// The content hash with which the id was seen.
    private func contentHash(of id: UInt64) -> UInt32? {
        if !index.isEmpty { return index.place(of: id, in: buckets).map(contentHash) }
        // The newest buckets are searched first, because a sender retries soon.
        for bucket in buckets.reversed() {
            if let position = bucket.idHashes.firstIndex(of: id) {
                return bucket.contentHashes[position]
            }
        }
        return nil
    }

    private func contentHash(_ place: ScanIDIndex.Place) -> UInt32 {
        buckets[place.bucket].contentHashes[place.position]
    }

    /// Builds the index after buckets were restored. Otherwise a sender of only old scans would
    /// have every one of them searched without it.
    mutating func indexIfMissing() {
        if index.isEmpty, buckets.count > Self.searchedBuckets { indexAll() }
    }

    private mutating func indexAll() {
        index = buckets.count > Self.searchedBuckets ? ScanIDIndex(buckets) : ScanIDIndex()
    }

    /// Whether a new scan becomes the device's newest. A scan that is late, or older than the
    /// newest, is located with the device's states but does not change them.
    public func isMoved(by sighting: ScanSighting, isLate: Bool) -> Bool {
        guard !isLate else { return false }
        return newestScan.map { countable(sighting) >= $0 } ?? true
    }

    /// Adds a new scan, and removes buckets whose last scan arrived more than 24 hours before it.
    public mutating func evolve(_ sighting: ScanSighting) -> Change {
        if let open = buckets.last, !open.isFull {
            append(sighting)
        } else {
            let newest = max(newestScan ?? countable(sighting), countable(sighting))
            buckets.append(
                Bucket(
                    number: buckets.last.map { $0.number &+ 1 } ?? 0, newestScan: newest,
                    lastArrival: sighting.arrivedAt, idHashes: [sighting.idHash],
                    contentHashes: [sighting.contentHash]))
        }
        if index.isEmpty {
            indexAll()
        } else {
            index.insert(sighting.idHash, of: buckets)
        }
        let expired = expire(at: sighting.arrivedAt)
        return Change(written: buckets[buckets.count - 1], expired: expired)
    }

    private mutating func append(_ sighting: ScanSighting) {
        let last = buckets.count - 1
        buckets[last].newestScan = max(buckets[last].newestScan, countable(sighting))
        buckets[last].lastArrival = max(buckets[last].lastArrival, sighting.arrivedAt)
        buckets[last].idHashes.append(sighting.idHash)
        buckets[last].contentHashes.append(sighting.contentHash)
    }

    /// The scan's time, limited to its arrival. Otherwise a clock that runs ahead once would make
    /// every later scan late.
    private func countable(_ sighting: ScanSighting) -> Timestamp {
        min(sighting.at, sighting.arrivedAt)
    }

    private mutating func expire(at moment: Timestamp) -> [UInt32] {
        let last = buckets.count - 1
        let kept = max(0, buckets.count - Self.maximumBuckets)
        let first =
            buckets[kept..<last].firstIndex {
                moment - $0.lastArrival <= Self.keptSeconds * 1_000_000
            } ?? last
        guard first > 0 else { return [] }
        let expired = buckets[..<first].map(\.number)
        buckets.removeFirst(first)
        if !index.isEmpty { index.forget(first, before: buckets) }
        return expired
    }
}
