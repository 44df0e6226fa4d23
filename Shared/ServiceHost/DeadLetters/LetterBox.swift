public import EventLog
public import Events
import Wire

/// An index of the topic `dead-letters`: which records were set aside, and which were put back.
///
/// Letters of erased devices, from before their erasure, are left out.
///
/// The letters themselves stay in the log and are read a few at a time, since a letter may have 11
/// MB.
public struct LetterBox: Sendable {
    /// Records that are read at once. Eight of the largest make 88 MB.
    private static let batch = 8
    /// Bytes of letters that are held at once; the last letter may exceed them.
    private static let pieceBytes = 32_000_000
    /// The most letters that are held at once, however small they are.
    private static let pieceCount = 1_000

    /// A record and the consumer that set it aside. More than one consumer may do so.
    public struct Place: Hashable, Sendable, Comparable {
        /// Topic, partition and offset.
        public var id: String
        public var consumer: String

        public static func < (left: Self, right: Self) -> Bool {
            (left.id, left.consumer) < (right.id, right.consumer)
        }
    }

    /// The entry of a letter: enough to select it, and to find it in the log.
    public struct Entry: Sendable {
        /// The topic of the record that was set aside.
        public var topic: String
        public var at: Timestamp
        /// See `DeadLettered.wasPutBack`.
        public var wasPutBack: Bool
        /// Nil while the record has not been put back.
        public var putBackAt: Timestamp?
        var partition: TopicPartition
        var offset: Int64
        var bytes: Int
    }

    public private(set) var entries: [Place: Entry] = [:]
    private var putBack: [Place: Timestamp] = [:]
    private let erased: ErasedDevices
    /// The offset up to which each partition has been read.
    private var ends: [TopicPartition: Int64] = [:]

    public init() { erased = ErasedDevices() }

    /// Reads the complete topic.
    public init(_ log: any EventLog) async throws {
        erased = try await Host.erasedDevices(in: log)
        try await readOn(log, to: log.ranges(of: [Topic.deadLetters.name]).mapValues(\.upperBound))
    }

    /// Whether the index shows that the record was put back.
    func isPutBack(_ place: Place) -> Bool { putBack[place] != nil }

    /// Reads new records up to the given offsets. After a failure the next call continues where
    /// this one stopped.
    ///
    /// - Returns: whether anything was new.
    @discardableResult
    mutating func readOn(
        _ log: any EventLog, to wanted: [TopicPartition: Int64]
    ) async throws -> Bool {
        var ranges: [TopicPartition: Range<Int64>] = [:]
        let there = try await log.ranges(of: [Topic.deadLetters.name])
        for (place, end) in wanted {
            let start = max(ends[place] ?? 0, there[place]?.lowerBound ?? 0)
            if start < end { ranges[place] = start..<end }
        }
        guard !ranges.isEmpty else { return false }
        try await log.readRange(ranges, batchLimit: Self.batch) {
            for record in $0 {
                apply(record)
                ends[record.topicPartition] = record.offset + 1
            }
        }
        for (place, range) in ranges { ends[place] = range.upperBound }
        return true
    }

    /// Applies one record of the topic. The first of two letters about the same record counts: it
    /// came when the record was set aside.
    private mutating func apply(_ record: StoredRecord) {
        if let letter = try? DeadLettered(record: record) {
            let place = Place(id: letter.id, consumer: letter.consumer ?? "")
            guard entries[place] == nil,
                letter.device.map({ !erased.covers($0, at: letter.came) }) ?? true
            else { return }
            entries[place] = Entry(
                topic: letter.topic, at: letter.at, wasPutBack: letter.wasPutBack,
                putBackAt: putBack[place], partition: record.topicPartition,
                offset: record.offset, bytes: record.value?.count ?? 0)
        } else if let back = try? DeadLetterPutBack(record: record) {
            let place = Place(id: back.id, consumer: back.consumer)
            putBack[place] = back.at
            entries[place]?.putBackAt = back.at
        }
    }

    /// Reads these letters from the log, one by one, in this order. Letters that the log has
    /// dropped since are left out.
    public func read(
        _ places: [Place], from log: any EventLog,
        _ body: (Place, DeadLettered) async throws -> Void
    ) async throws {
        try await read(places, from: log, pieceBytes: Self.pieceBytes, body)
    }

    func read(
        _ places: [Place], from log: any EventLog, pieceBytes: Int,
        _ body: (Place, DeadLettered) async throws -> Void
    ) async throws {
        var piece: [Place] = []
        var bytes = 0
        for (number, place) in places.enumerated() {
            piece.append(place)
            bytes += entries[place]?.bytes ?? 0
            guard
                bytes >= pieceBytes || piece.count == Self.pieceCount
                    || number == places.count - 1
            else { continue }
            var letters = try await fetch(piece, from: log)
            for place in piece {
                if let letter = letters.removeValue(forKey: place) { try await body(place, letter) }
            }
            piece = []
            bytes = 0
        }
    }

    private func fetch(
        _ piece: [Place], from log: any EventLog
    ) async throws -> [Place: DeadLettered] {
        var wanted: [TopicPartition: [Int64: Place]] = [:]
        for place in piece {
            guard let entry = entries[place] else { continue }
            wanted[entry.partition, default: [:]][entry.offset] = place
        }
        let there = try await log.ranges(of: [Topic.deadLetters.name])
        var ranges: [TopicPartition: Range<Int64>] = [:]
        for (partition, offsets) in wanted {
            guard let first = offsets.keys.min(), let last = offsets.keys.max() else { continue }
            let start = max(first, there[partition]?.lowerBound ?? 0)
            if start <= last { ranges[partition] = start..<(last + 1) }
        }
        var letters: [Place: DeadLettered] = [:]
        try await log.readRange(ranges, batchLimit: Self.batch) {
            for record in $0 {
                guard let place = wanted[record.topicPartition]?[record.offset] else { continue }
                letters[place] = try? DeadLettered(record: record)
            }
        }
        return letters
    }
}

extension DeadLettered {
    /// The record as it was. Nil for a letter of an earlier release, which lacks the headers, and
    /// for one that was cut.
    public var stored: StoredRecord? {
        guard !isCut, let headers, let decoded = LogHeaders(encoded: headers) else { return nil }
        return StoredRecord(
            topic: topic, partition: partition, offset: offset,
            appendedAtMicroseconds: (appendedAt ?? at).microseconds, key: key, value: value,
            headers: decoded)
    }

    /// Whether the record had been put back before and was set aside again. A person has to decide
    /// whether to try once more; a loop must not.
    public var wasPutBack: Bool { stored.flatMap { PutBack.time(of: $0) } != nil }
}
