/// Records that a processor has read but cannot work on yet, because something they need has not
/// arrived. The processor keeps polling meanwhile, so that it keeps its partitions.
struct HeldRecords {
    /// The largest number of records kept in memory; their bytes are limited too. The processor
    /// reads all further records again later.
    static let limit = 20_000
    static let byteLimit = 64_000_000

    private var records: [TopicPartition: [StoredRecord]] = [:]

    var isEmpty: Bool { records.isEmpty }
    private var count: Int { records.values.reduce(0) { $0 + $1.count } }
    private var bytes: Int {
        records.values.reduce(0) { $0 + $1.reduce(0) { $0 + $1.byteCount } }
    }

    mutating func forget(_ partitions: [TopicPartition]) {
        for partition in partitions { records[partition] = nil }
    }

    mutating func forgetAll() { records = [:] }

    /// Adds records. Returns the offset to read again from, for each partition whose records did
    /// not all fit.
    mutating func add(_ more: [StoredRecord]) -> [TopicPartition: Int64] {
        var goBack: [TopicPartition: Int64] = [:]
        var room = Self.limit - count
        var byteRoom = Self.byteLimit - bytes
        for record in more {
            if room > 0, byteRoom > 0, goBack[record.topicPartition] == nil {
                records[record.topicPartition, default: []].append(record)
                room -= 1
                byteRoom -= record.byteCount
            } else if goBack[record.topicPartition] == nil {
                goBack[record.topicPartition] = record.offset
            }
        }
        return goBack
    }

    /// Removes and returns at most `maximum` records that can be worked on, in order within each
    /// partition.
    mutating func next(
        _ maximum: Int, _ isReady: ([StoredRecord]) -> Bool
    ) -> [StoredRecord] {
        var due: [StoredRecord] = []
        for (partition, held) in records.sorted(by: { $0.key < $1.key }) where due.count < maximum {
            let first = Array(held.prefix(maximum - due.count))
            guard isReady(first) else { continue }
            due += first
            records[partition] = first.count == held.count ? nil : Array(held[first.count...])
        }
        return due
    }
}
