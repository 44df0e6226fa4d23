/// Records that a processor has read and does not work on yet, for want of something that is on its
/// way. Meanwhile it goes on polling, so that it keeps its partitions.
struct HeldRecords {
    /// How many are kept in memory, and how many bytes of them. What comes beyond is read again.
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

    /// Takes more in; gives, for each partition that there is no room for, the offset to go back
    /// to.
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

    /// The next records that can be worked on, at most so many, those of a partition in order.
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
