public import Events
import Numbers

/// Whether a scan was seen before.
enum ScanOutcome: Hashable, Sendable {
    case new
    /// The id was seen before with the same content.
    case duplicate
    /// The id was seen before with other content.
    case conflict
}

/// The scans of one partition in the last 24 hours, as hashes, so that none is located twice.
///
/// Ids lie in a table for each hour, so that old ones go without being looked for. They are stored
/// in segments, one in five minutes, and not with every transaction. Scans that came after the last
/// segment are read back from their positions. These do not have the content, so such a scan that
/// comes again is a duplicate, whatever its content.
///
/// All times are those at which the log appended the partition's scans.
public struct SeenScans: Sendable {
    public static let keptSeconds: Int64 = 24 * 60 * 60
    /// The time between two segments of a partition that gets scans. A segment has each of its
    /// devices once, so a longer time makes it smaller, and more positions are read back.
    static let segmentSeconds: Int64 = 300
    /// Positions are read back from so long before the last segment on, since the clocks of
    /// appending processes and brokers differ.
    static let clockSlackSeconds: Int64 = 60
    private static let hourMicroseconds: Int64 = 3_600_000_000

    /// The segments and former buckets to write and to remove.
    public struct Changes: Sendable {
        public var written: [SeenSegment] = []
        public var expired: [UInt32] = []
        public var expiredFormer: [FormerPlace] = []
    }

    /// Where a bucket of a former release lies.
    public struct FormerPlace: Hashable, Sendable {
        public var device: DeviceKey
        public var number: UInt32
    }

    /// A scan that no segment has yet.
    private struct Pending {
        var id: UInt64
        var content: UInt32
        /// Zero if the device was erased since.
        var device: UInt64
        /// The time of the device's newest scan, with this one.
        var newest: Timestamp
        var appendedAt: Timestamp
    }

    private struct Hour {
        /// Counts hours since 1970.
        var number: Int64
        var table = ScanIDTable()
    }

    /// Ascending. The last one grows; others only where a clock was ahead once.
    private var hours: [Hour] = []
    /// The scans that no segment has yet, in the order of arrival.
    private var pending: [Pending] = []
    /// The segments that are in the log, in their order.
    private var segments: [(number: UInt32, lastAppended: Timestamp)] = []
    private var nextNumber: UInt32 = 0
    /// When the last segment was stored.
    private var storedAt: Timestamp?
    /// The buckets of former releases that are in the log.
    private var former: [FormerPlace: Timestamp] = [:]
    private var formerSweptAt = Timestamp(microseconds: 0)
    /// The times of devices that were read back and have not been heard of since.
    private var restoredTimes: [UInt64: DeviceTimes] = [:]

    public init() {}

    // MARK: Hashes

    /// A hash of the device's key, the same in every process and release; never zero.
    public static func hash(of key: DeviceKey) -> UInt64 {
        // FNV-1a, 64 bits (Fowler, Noll and Vo).
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        for byte in key.site.text.utf8 { add(byte) }
        add(UInt8(ascii: "/"))
        for byte in key.device.text.utf8 { add(byte) }
        return max(1, hash)
    }

    /// The id of a scan with its device, so that no device can use up another one's ids.
    static func hash(_ id: UInt64, of device: UInt64) -> UInt64 {
        var mixed = SplitMix64(seed: id ^ device)
        return max(1, mixed.next())
    }

    // MARK: Asking

    /// The scans that are remembered.
    public var count: Int { hours.reduce(0) { $0 + $1.table.count } }

    /// The memory that the ids take, those of the next segment too.
    public var byteCount: Int {
        hours.reduce(0) { $0 + $1.table.byteCount }
            + pending.capacity * MemoryLayout<Pending>.stride
    }

    func outcome(_ sighting: ScanSighting, of device: UInt64) -> ScanOutcome {
        guard let known = content(of: Self.hash(sighting.idHash, of: device)) else { return .new }
        return known == sighting.contentHash || known == ScanSighting.unknownContent
            ? .duplicate : .conflict
    }

    private func content(of id: UInt64) -> UInt32? {
        let spread = ScanIDTable.spread(id)
        // A sender retries soon, so the newest hour comes first.
        for hour in hours.reversed() {
            if let content = hour.table.content(of: id, spread: spread) { return content }
        }
        return nil
    }

    /// The device's times, if they were read back.
    func times(of device: UInt64) -> DeviceTimes? {
        restoredTimes.isEmpty ? nil : restoredTimes[device]
    }

    // MARK: Adding

    /// Adds a new scan.
    ///
    /// - Parameter newest: the time of the device's newest scan, with this one.
    mutating func add(
        _ sighting: ScanSighting, of device: UInt64, newest: Timestamp, appendedAt: Timestamp
    ) {
        let id = Self.hash(sighting.idHash, of: device)
        put(id, sighting.contentHash, at: appendedAt)
        pending.append(
            Pending(
                id: id, content: sighting.contentHash, device: device, newest: newest,
                appendedAt: appendedAt))
    }

    private mutating func put(_ id: UInt64, _ content: UInt32, at moment: Timestamp) {
        let number = moment.microseconds / Self.hourMicroseconds
        var place = hours.count
        while place > 0, hours[place - 1].number > number { place -= 1 }
        if place == 0 || hours[place - 1].number < number {
            if place > 0 { hours[place - 1].table.compact() }
            hours.insert(Hour(number: number), at: place)
            place += 1
        }
        hours[place - 1].table.put(id, content)
    }

    /// Forgets when a device was heard of; its ids are hashes and stay for their day.
    mutating func forget(_ device: UInt64) {
        for index in pending.indices where pending[index].device == device {
            pending[index].device = 0
        }
        restoredTimes[device] = nil
    }

    // MARK: Storing

    /// The changes to store now. The first call after the start of a partition gives a segment even
    /// without scans. So a reader knows from when on it needs the positions.
    mutating func changes(at now: Timestamp) -> Changes {
        var changes = Changes()
        while isSegmentDue(at: now) {
            let segment = nextSegment(at: now)
            segments.append((segment.number, segment.lastAppended))
            storedAt = now
            changes.written.append(segment)
        }
        let limit = now.advanced(byMicroseconds: -Self.keptSeconds * 1_000_000)
        // Not only the first ones: a clock that was ahead once must not keep what comes after.
        if segments.contains(where: { $0.lastAppended < limit }) {
            changes.expired = segments.filter { $0.lastAppended < limit }.map(\.number)
            segments.removeAll { $0.lastAppended < limit }
        }
        // An hour goes when its last scan is a day old.
        while let first = hours.first,
            (first.number + 1) * Self.hourMicroseconds <= limit.microseconds
        {
            hours.removeFirst()
        }
        if !former.isEmpty, now - formerSweptAt >= Self.segmentSeconds * 1_000_000 {
            formerSweptAt = now
            changes.expiredFormer = former.filter { $0.value < limit }.map(\.key)
            for place in changes.expiredFormer { former[place] = nil }
        }
        return changes
    }

    /// Drops the times of devices that were silent for a day.
    mutating func forgetIdle(at now: Timestamp) {
        guard !restoredTimes.isEmpty else { return }
        let limit = now.advanced(byMicroseconds: -Self.keptSeconds * 1_000_000)
        restoredTimes = restoredTimes.filter { $0.value.lastArrival >= limit }
    }

    private func isSegmentDue(at now: Timestamp) -> Bool {
        guard let storedAt else { return true }
        guard !pending.isEmpty else { return false }
        // Before the last segment is also far: that one had a clock which was ahead.
        return isFull || abs(now - storedAt) >= Self.segmentSeconds * 1_000_000
    }

    /// Whether there are enough scans for a segment.
    var isFull: Bool { pending.count >= SeenSegment.mostIDs }

    /// Moves the oldest pending scans into a segment.
    private mutating func nextSegment(at now: Timestamp) -> SeenSegment {
        let taken = pending.prefix(SeenSegment.mostIDs)
        var devices: [UInt64: Timestamp] = [:]
        for scan in taken where scan.device != 0 {
            devices[scan.device] = max(devices[scan.device] ?? scan.newest, scan.newest)
        }
        // Sorted, so that the same scans give the same bytes.
        let sorted = devices.sorted { $0.key < $1.key }
        let segment = SeenSegment(
            number: nextNumber, lastAppended: taken.map(\.appendedAt).max() ?? now,
            idHashes: taken.map(\.id), contentHashes: taken.map(\.content),
            deviceHashes: sorted.map(\.key), newestScans: sorted.map(\.value))
        pending.removeFirst(taken.count)
        nextNumber &+= 1
        return segment
    }

    /// The next segment for a caller who only makes segments. No scan is remembered any more.
    mutating func segmentWithoutTable(at now: Timestamp) -> SeenSegment {
        let segment = nextSegment(at: now)
        hours = []
        return segment
    }

    // MARK: Reading back

    /// Positions that were appended from this time on may have scans that no segment has. Nil if no
    /// segment was ever stored: then nothing was located.
    public var restoredUntil: Timestamp? {
        storedAt?.advanced(byMicroseconds: -Self.clockSlackSeconds * 1_000_000)
    }

    /// Adds a stored segment. The log has them in the order of their numbers.
    mutating func restore(_ segment: SeenSegment, storedAt moment: Timestamp) {
        for (id, content) in zip(segment.idHashes, segment.contentHashes) {
            put(id, content, at: segment.lastAppended)
        }
        for (device, newest) in zip(segment.deviceHashes, segment.newestScans) {
            note(device, DeviceTimes(newestScan: newest, lastArrival: segment.lastAppended))
        }
        segments.append((segment.number, segment.lastAppended))
        nextNumber = max(nextNumber, segment.number &+ 1)
        storedAt = moment
    }

    /// Notes that a segment was removed. Its ids are older than a day.
    mutating func restore(removed segment: UInt32) {
        segments.removeAll { $0.number == segment }
        nextNumber = max(nextNumber, segment &+ 1)
    }

    /// Adds a bucket of a former release. A later one of the same number replaces it; its ids are
    /// among the new ones.
    mutating func restore(_ bucket: FormerBucket, of key: DeviceKey) {
        let device = Self.hash(of: key)
        for (hash, content) in zip(bucket.idHashes, bucket.contentHashes) {
            let id = Self.hash(hash, of: device)
            if self.content(of: id) == nil { put(id, content, at: bucket.lastArrival) }
        }
        note(
            device,
            DeviceTimes(newestScan: bucket.newestScan, lastArrival: bucket.lastArrival))
        former[FormerPlace(device: key, number: bucket.number)] = bucket.lastArrival
    }

    mutating func restore(removed bucket: UInt32, of key: DeviceKey) {
        former[FormerPlace(device: key, number: bucket)] = nil
    }

    /// Adds a scan that a position names, unless a segment has it.
    mutating func restore(
        _ scan: EventID, of device: UInt64, newest: DeviceTimes, appendedAt: Timestamp
    ) {
        let sighting = ScanSighting(
            idHash: ScanSighting.hash(of: scan), contentHash: ScanSighting.unknownContent,
            at: newest.newestScan, arrivedAt: newest.lastArrival)
        guard outcome(sighting, of: device) == .new else { return }
        note(device, newest)
        add(
            sighting, of: device, newest: restoredTimes[device]?.newestScan ?? newest.newestScan,
            appendedAt: appendedAt)
    }

    private mutating func note(_ device: UInt64, _ times: DeviceTimes) {
        restoredTimes[device] = restoredTimes[device]?.joined(with: times) ?? times
    }
}
