import Positioning

/// Where the ids of a device's scans lie in its buckets: a hash table with open addressing that
/// holds places and not ids, at 8 to 16 bytes each.
struct ScanIDIndex: Sendable {
    struct Place {
        var bucket: Int
        var position: Int
    }

    /// Counted from the first bucket that was ever indexed, 64 places a bucket, plus one; 0 is
    /// empty.
    private var slots: [UInt32] = []
    private var used = 0
    /// How many buckets went before the first that there is now.
    private var gone = 0

    init() {}

    init(_ buckets: [DeviceHistory.Bucket]) {
        // At most half of the slots are in use.
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

    /// Where the id is. A place whose bucket has gone counts as none, and the search goes on.
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

    /// Takes in the id that came last.
    mutating func insert(_ id: UInt64, of buckets: [DeviceHistory.Bucket]) {
        let last = buckets.count - 1
        guard last >= 0, 2 * (used + 1) <= slots.count, gone + last < Self.mostBuckets else {
            self = Self(buckets)
            return
        }
        put(id, last, buckets[last].idHashes.count - 1)
    }

    private static let mostBuckets = Int(UInt32.max) / DeviceHistory.idsPerBucket - 1

    /// The first buckets have gone. Their places stay in the table until most of it is such.
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

    /// Swift's own hash, whose seed senders don't know: else they could choose ids that all fall
    /// into one place. It decides where an id lies in memory and nothing else.
    private func start(_ id: UInt64) -> Int { id.hashValue & (slots.count - 1) }
}
