import Positioning

/// Finds the ids of a device's scans in its buckets. It is a hash table with open addressing that
/// stores places instead of ids, at 8 to 16 bytes each.
struct ScanIDIndex: Sendable {
    struct Place {
        var bucket: Int
        var position: Int
    }

    /// The place of an id plus one, counted from the first bucket that was ever indexed, with 64
    /// places a bucket. A value of 0 is an empty slot.
    private var slots: [UInt32] = []
    private var used = 0
    /// The number of buckets that were removed before the first one left.
    private var gone = 0

    init() {}

    init(_ buckets: [DeviceHistory.Bucket]) {
        // At most half of the slots are used.
        var size = 1_024
        while size < 4 * buckets.count * DeviceHistory.idsPerBucket { size *= 2 }
        slots = Array(repeating: 0, count: size)
        for (number, bucket) in buckets.enumerated() {
            for position in bucket.idHashes.indices.prefix(DeviceHistory.idsPerBucket) {
                put(bucket.idHashes[position], number, position)
            }
        }
    }

    var isEmpty: Bool { slots.isEmpty }

    /// The place of the id. A place in a removed bucket does not count, and the search goes on.
    func place(of id: UInt64, in buckets: [DeviceHistory.Bucket]) -> Place? {
        var slot = start(id)
        while slots[slot] != 0 {
            let number = Int(slots[slot] - 1)
            let bucket = number / DeviceHistory.idsPerBucket - gone
            let position = number % DeviceHistory.idsPerBucket
            if bucket >= 0, bucket < buckets.count,
                position < buckets[bucket].idHashes.count,
                buckets[bucket].idHashes[position] == id
            {
                return Place(bucket: bucket, position: position)
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Adds the id of the newest scan.
    mutating func insert(_ id: UInt64, of buckets: [DeviceHistory.Bucket]) {
        let last = buckets.count - 1
        guard last >= 0, 2 * (used + 1) <= slots.count, gone + last < Self.mostBuckets else {
            self = Self(buckets)
            return
        }
        put(id, last, buckets[last].idHashes.count - 1)
    }

    private static let mostBuckets = Int(UInt32.max) / DeviceHistory.idsPerBucket - 1

    /// Drops the first buckets. Their places stay in the table until they are most of it.
    mutating func forget(_ count: Int, before buckets: [DeviceHistory.Bucket]) {
        gone += count
        if gone > buckets.count { self = Self(buckets) }
    }

    private mutating func put(_ id: UInt64, _ bucket: Int, _ position: Int) {
        var slot = start(id)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = UInt32((bucket + gone) * DeviceHistory.idsPerBucket + position + 1)
        used += 1
    }

    /// Uses Swift's own hash, because senders do not know its seed. Otherwise they could choose ids
    /// that all fall into one slot. The hash decides only where an id lies in memory.
    private func start(_ id: UInt64) -> Int { id.hashValue & (slots.count - 1) }
}
