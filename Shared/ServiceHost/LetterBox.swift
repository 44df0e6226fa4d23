public import EventLog
public import Events
import Wire

/// What the topic `dead-letters` holds: each record that was set aside, and whether it was put back.
public struct LetterBox: Sendable {
    /// A record may be set aside by more than one consumer.
    public struct Place: Hashable, Sendable, Comparable {
        /// Topic, partition and offset.
        public var id: String
        public var consumer: String

        public static func < (left: Self, right: Self) -> Bool {
            (left.id, left.consumer) < (right.id, right.consumer)
        }
    }

    public struct Entry: Sendable {
        public var letter: DeadLettered
        /// Nil while it was not put back.
        public var putBackAt: Timestamp?
    }

    public private(set) var entries: [Place: Entry] = [:]
    private var putBack: [Place: Timestamp] = [:]

    public init() {}

    /// All that the log holds.
    public init(_ log: any EventLog) async throws {
        try await log.readRange(log.ranges(of: [Topic.deadLetters.name]), batchLimit: 100) {
            for record in $0 { take(record) }
        }
    }

    /// Takes one record of the topic in. A letter that comes twice is one letter.
    public mutating func take(_ record: StoredRecord) {
        if let letter = try? DeadLettered(record: record) {
            let place = Place(id: letter.id, consumer: letter.consumer ?? "")
            entries[place] = Entry(letter: letter, putBackAt: putBack[place])
        } else if let back = try? DeadLetterPutBack(record: record) {
            let place = Place(id: back.id, consumer: back.consumer)
            putBack[place] = back.at
            entries[place]?.putBackAt = back.at
        }
    }
}

extension DeadLettered {
    /// The record as it was; nil for a letter of before, which has no headers, and for one that is cut.
    public var stored: StoredRecord? {
        guard !isCut, let headers, let decoded = LogHeaders(encoded: headers) else { return nil }
        return StoredRecord(
            topic: topic, partition: partition, offset: offset,
            appendedAtMicroseconds: (appendedAt ?? at).microseconds, key: key, value: value,
            headers: decoded)
    }

    /// Whether the record had been put back already and was set aside again: to put it back once more is
    /// for a person to decide, and for no loop.
    public var wasPutBack: Bool { stored.flatMap { PutBack.time(of: $0) } != nil }
}
