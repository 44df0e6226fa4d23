import EventLog
import Events
import ServiceHost
import Wire

/// The newest dead letters, without their records: enough to list them, to know whose they are, and
/// to find each in the log.
///
/// Letters of erased devices, from before their erasure, are left out.
struct LetterIndex: Sendable {
    /// The most letters. Older ones are for `whereabouts dead-letters`.
    static let capacity = 5_000
    /// Records that are read at once. Eight of the largest make 88 MB.
    private static let batch = 8

    /// A record, and the consumer that set it aside.
    struct Place: Hashable, Sendable {
        var id: String
        var consumer: String
    }

    struct Row: Sendable {
        var listed: ListedLetter
        var partition: TopicPartition
        var offset: Int64
        fileprivate var device: DeviceKey?
        fileprivate var came: Timestamp
    }

    private let capacity: Int
    private var rows: [Place: Row] = [:]
    /// The offset up to which each partition has been read.
    private var ends: [TopicPartition: Int64] = [:]

    init(capacity: Int = Self.capacity) { self.capacity = capacity }

    /// Those of one site, or of no site, the newest first.
    func letters(of site: SiteID?) -> [Row] {
        rows.values.filter { $0.listed.site == site }.sorted {
            ($1.listed.at, $1.listed.id, $1.listed.consumer)
                < ($0.listed.at, $0.listed.id, $0.listed.consumer)
        }
    }

    /// The letters of one record, one for each consumer that set it aside.
    func letters(_ id: String) -> [Row] {
        rows.filter { $0.key.id == id }.values.sorted { $0.listed.consumer < $1.listed.consumer }
    }

    /// Reads what is new.
    ///
    /// - Parameter siteOf: the site of a record's sender or key; nil where it is unknown.
    mutating func readOn(
        _ log: any EventLog, siteOf: (StoredRecord) -> SiteID?
    ) async throws {
        let there = try await log.ranges(of: [Topic.deadLetters.name])
        let most = Int64(max(1, capacity / max(1, there.count)))
        var ranges: [TopicPartition: Range<Int64>] = [:]
        for (place, range) in there {
            let start = max(ends[place] ?? range.upperBound - most, range.lowerBound)
            if start < range.upperBound { ranges[place] = start..<range.upperBound }
        }
        try await log.readRange(ranges, batchLimit: Self.batch) {
            for record in $0 { apply(record, siteOf) }
        }
        for (place, range) in ranges { ends[place] = range.upperBound }
        let erased = try await Host.erasedDevices(in: log)
        rows = rows.filter { _, row in
            row.device.map { !erased.covers($0, at: row.came) } ?? true
        }
        guard rows.count > capacity else { return }
        let oldest = rows.sorted { $0.value.listed.at < $1.value.listed.at }
        for (place, _) in oldest.prefix(rows.count - capacity) { rows[place] = nil }
    }

    /// The first of two letters about the same record counts: it came when the record was set
    /// aside.
    private mutating func apply(_ record: StoredRecord, _ siteOf: (StoredRecord) -> SiteID?) {
        if let letter = try? DeadLettered(record: record) {
            let place = Place(id: letter.id, consumer: letter.consumer ?? "")
            guard rows[place] == nil else { return }
            rows[place] = Row(
                listed: ListedLetter(
                    letter, site: letter.site(sender: siteOf(letter.remains)),
                    wasPutBack: letter.wasPutBack, isWhole: letter.stored != nil),
                partition: record.topicPartition, offset: record.offset, device: letter.device,
                came: letter.came)
        } else if let back = try? DeadLetterPutBack(record: record) {
            rows[Place(id: back.id, consumer: back.consumer)]?.listed.putBackAt = back.at
        }
    }
}

extension DeadLettered {
    /// The record, or what the letter has of it.
    fileprivate var remains: StoredRecord {
        stored
            ?? StoredRecord(
                topic: topic, partition: partition, offset: offset,
                appendedAtMicroseconds: came.microseconds, key: key, value: value,
                headers: headers.flatMap { LogHeaders(encoded: $0) } ?? LogHeaders())
    }
}
