/// A record that a consumer can't use, with the reason.
public struct SetAside: Sendable {
    public var record: StoredRecord
    /// A stable code, such as `not-json`.
    public var code: String
    public var detail: String
    /// Whether the fault lies with the sender, such as an exceeded quota or a wrong token. A faulty
    /// release of this program can't cause such a fault, however many there are.
    public var isOfSender: Bool
    /// The record without strangers' personal data, if it has any. The dead letter holds this one.
    public var screened: ScreenedRecord?

    public init(
        _ record: StoredRecord, code: String, detail: String, isOfSender: Bool = false,
        screened: ScreenedRecord? = nil
    ) {
        self.record = record
        self.code = code
        self.detail = detail
        self.isOfSender = isOfSender
        self.screened = screened
    }
}

/// The key, value and headers of a record that are left when personal data is taken out.
public struct ScreenedRecord: Sendable {
    public var key: [UInt8]?
    /// Nil where the value was withheld, because nobody can tell what it holds.
    public var value: [UInt8]?
    public var headers: LogHeaders

    public init(key: [UInt8]?, value: [UInt8]?, headers: LogHeaders) {
        self.key = key
        self.value = value
        self.headers = headers
    }
}

/// The sender of a record, as far as the record names one.
public struct RecordSender: Hashable, Sendable {
    /// The sender's site. Nil where the record names none: all such senders count as one.
    public var site: String?
    public var name: String

    public init(site: String?, name: String) {
        self.site = site
        self.name = name
    }

    public static let unknown = RecordSender(site: nil, name: "")
}

/// How a consumer makes dead letters.
public struct DeadLetters: Sendable {
    /// Makes the dead letter of a record that was set aside, with a complete copy. Its id is the
    /// record's place in the log, so a repeated attempt makes the same id.
    public let letter: @Sendable (SetAside) -> LogRecord
    public let sender: @Sendable (StoredRecord) -> RecordSender
    /// The limit in bytes for one record of a topic. Nil where no limit is known.
    public let largestRecord: @Sendable (_ topic: String) -> Int?

    public init(
        letter: @escaping @Sendable (SetAside) -> LogRecord,
        sender: @escaping @Sendable (StoredRecord) -> RecordSender,
        largestRecord: @escaping @Sendable (_ topic: String) -> Int?
    ) {
        self.letter = letter
        self.sender = sender
        self.largestRecord = largestRecord
    }

    /// The reason why the log would refuse the record. Nil when it would accept the record.
    func violation(_ record: LogRecord) -> String? {
        guard let limit = largestRecord(record.topic), record.byteCount > limit else { return nil }
        return "an output has \(record.byteCount) bytes; \(record.topic) allows \(limit)"
    }
}

/// Counts how many of a partition's last records were set aside, and for how many senders. Many
/// records of many senders point to a fault of the program. The consumer then stops, so that a bad
/// release does not turn a topic into dead letters.
///
/// Records of a single sender never stop the consumer, nor do faults that lie with the senders.
/// Otherwise five people could stop it with ten records.
public struct SetAsideShare: Sendable {
    /// The number of a partition's latest records that are examined.
    static let recent: Int64 = 1_000
    /// The number set aside among them that stops the consumer: one in a hundred.
    static let limit = 10
    static let senders = 5
    static let sites = 2

    private var seen: Int64 = 0
    private var setAside: [(number: Int64, sender: RecordSender)] = []

    public init() {}

    /// Counts one partition's next records. Throws when the number set aside points to a fault of
    /// the program.
    ///
    /// - Parameter faults: the senders of the records to be set aside, by offset.
    public mutating func note(
        _ records: [StoredRecord], _ faults: [Int64: RecordSender]
    ) throws(ConsumerStopped) {
        guard !faults.isEmpty else {
            seen += Int64(records.count)
            return
        }
        for record in records {
            seen += 1
            guard let sender = faults[record.offset] else { continue }
            setAside.append((seen, sender))
            setAside.removeAll { $0.number <= seen - Self.recent }
            let senders = Set(setAside.map(\.sender))
            let sites = Set(senders.compactMap(\.site))
            guard setAside.count >= Self.limit, senders.count >= Self.senders,
                sites.count >= Self.sites
            else { continue }
            throw ConsumerStopped(
                """
                \(setAside.count) of the last \(min(seen, Self.recent)) records of \
                \(record.topicPartition) can't be used, from \(senders.count) senders of \
                \(sites.count) sites. The program itself must be at fault, so it sets no more of \
                them aside. Install a release that can read them.
                """)
        }
    }
}

extension [TopicPartition: SetAsideShare] {
    /// Counts the next records of several partitions, like `note` for one partition.
    public mutating func note(
        _ records: [StoredRecord], _ faults: [SetAside], sender: (StoredRecord) -> RecordSender
    ) throws(ConsumerStopped) {
        var senders: [TopicPartition: [Int64: RecordSender]] = [:]
        for fault in faults where !fault.isOfSender {
            senders[fault.record.topicPartition, default: [:]][fault.record.offset] = sender(
                fault.record)
        }
        for (partition, batch) in [TopicPartition: [StoredRecord]](
            grouping: records, by: \.topicPartition)
        {
            try self[partition, default: SetAsideShare()].note(batch, senders[partition] ?? [:])
        }
    }
}
