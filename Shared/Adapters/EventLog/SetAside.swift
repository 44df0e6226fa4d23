/// A record that a consumer can do nothing with, and why.
public struct SetAside: Sendable {
    public var record: StoredRecord
    /// A stable code, such as `not-json`.
    public var code: String
    public var detail: String
    /// Whether it is a judgement of who sent it, such as of a quota or a token: no release of ours
    /// could be the cause, however many there are.
    public var isOfSender: Bool

    public init(_ record: StoredRecord, code: String, detail: String, isOfSender: Bool = false) {
        self.record = record
        self.code = code
        self.detail = detail
        self.isOfSender = isOfSender
    }
}

/// Who sent a record, as far as the record tells.
public struct RecordSender: Hashable, Sendable {
    /// Nil where that is not known: such a sender is of no site, and all of them are one.
    public var site: String?
    public var name: String

    public init(site: String?, name: String) {
        self.site = site
        self.name = name
    }

    public static let unknown = RecordSender(site: nil, name: "")
}

/// What a consumer needs to set records aside.
public struct DeadLetters: Sendable {
    /// The record that holds one that was set aside, whole. Its id is the record's place in the
    /// log.
    public let letter: @Sendable (SetAside) -> LogRecord
    public let sender: @Sendable (StoredRecord) -> RecordSender
    /// Bytes of the largest record of a topic; nil where no limit is known.
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

    /// Why the log will not take the record; nil when it will.
    func violation(_ record: LogRecord) -> String? {
        guard let limit = largestRecord(record.topic), record.byteCount > limit else { return nil }
        return "\(record.topic) takes \(limit) bytes, and \(record.byteCount) came of it"
    }
}

/// How many of a partition's last records were set aside, and for how many senders: when it is many
/// for many, the fault is the program's, and a bad release must not turn a topic into dead letters.
/// One sender's records are set aside however many they are, and so are all that are judgements of
/// their senders: otherwise ten records of five who work together would stop everybody.
public struct SetAsideShare: Sendable {
    /// Records that are looked back at.
    static let recent: Int64 = 1_000
    /// One in a hundred of them.
    static let limit = 10
    static let senders = 5
    static let sites = 2

    private var seen: Int64 = 0
    private var setAside: [(number: Int64, sender: RecordSender)] = []

    public init() {}

    /// Takes in what became of one partition's next records. Throws when it is not the records'
    /// fault.
    ///
    /// - Parameter faults: the senders of those that are to be set aside, by their offsets.
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
                \(sites.count) sites: that is the program's fault, and none of them is set aside \
                from here on.
                """)
        }
    }
}

extension [TopicPartition: SetAsideShare] {
    /// The same for a batch of several partitions.
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
