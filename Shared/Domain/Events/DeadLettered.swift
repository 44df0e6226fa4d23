/// A record that can never be read, set aside with the reason (topic `dead-letters`).
public struct DeadLettered: Hashable, Sendable {
    public var topic: String
    public var partition: Int
    public var offset: Int64
    /// A stable code, such as `not-json` or `rssi-out-of-range`.
    public var code: String
    public var detail: String
    /// The record's own bytes, whole; absent for a tombstone.
    public var key: [UInt8]?
    public var value: [UInt8]?
    public var at: Timestamp
    /// In the log's own encoding. Absent in letters of before, which can't be put back.
    public var headers: [UInt8]?
    /// The view or group that set it aside.
    public var consumer: String?
    /// When the record came into the log.
    public var appendedAt: Timestamp?
    /// The value was larger than any topic of ours takes, and is cut.
    public var isCut = false

    /// Topic, partition and offset: the same record always gets the same id.
    public var id: String { "\(topic)/\(partition)/\(offset)" }

    public init(
        topic: String, partition: Int, offset: Int64, code: String, detail: String, key: [UInt8]?,
        value: [UInt8]?, at: Timestamp, headers: [UInt8]? = nil, consumer: String? = nil,
        appendedAt: Timestamp? = nil, isCut: Bool = false
    ) {
        self.topic = topic
        self.partition = partition
        self.offset = offset
        self.code = code
        self.detail = detail
        self.key = key
        self.value = value
        self.at = at
        self.headers = headers
        self.consumer = consumer
        self.appendedAt = appendedAt
        self.isCut = isCut
    }
}

/// A record that was set aside was put back, to where it had been set aside (topic `dead-letters`,
/// under the same key).
public struct DeadLetterPutBack: Hashable, Sendable {
    /// Topic, partition and offset of the record.
    public var topic: String
    public var partition: Int
    public var offset: Int64
    public var consumer: String
    public var at: Timestamp

    public var id: String { "\(topic)/\(partition)/\(offset)" }

    public init(
        topic: String, partition: Int, offset: Int64, consumer: String, at: Timestamp
    ) {
        self.topic = topic
        self.partition = partition
        self.offset = offset
        self.consumer = consumer
        self.at = at
    }
}
