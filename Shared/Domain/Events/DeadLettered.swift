/// A record that can never be processed, set aside with the reason (topic `dead-letters`).
public struct DeadLettered: Hashable, Sendable {
    public var topic: String
    public var partition: Int
    public var offset: Int64
    /// A stable code, such as `not-json` or `rssi-out-of-range`.
    public var code: String
    public var detail: String
    /// The record's own key; absent if the record had none.
    public var key: [UInt8]?
    public var value: [UInt8]?
    public var at: Timestamp
    /// The record's headers in the log's own encoding. Absent in older dead letters, which can't be
    /// put back.
    public var headers: [UInt8]?
    /// The projector or processor that set the record aside.
    public var consumer: String?
    /// The time at which the record was appended to its topic.
    public var appendedAt: Timestamp?
    /// Whether the value was cut because it is larger than the log accepts.
    public var isCut = false
    /// Whether personal data was taken out, so that the letter differs from the record in the log.
    public var isScreened = false

    /// The same record always has the same id.
    public var id: String { "\(topic)/\(partition)/\(offset)" }

    public init(
        topic: String, partition: Int, offset: Int64, code: String, detail: String, key: [UInt8]?,
        value: [UInt8]?, at: Timestamp, headers: [UInt8]? = nil, consumer: String? = nil,
        appendedAt: Timestamp? = nil, isCut: Bool = false, isScreened: Bool = false
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
        self.isScreened = isScreened
    }
}

/// A record that was set aside was put back into its topic (topic `dead-letters`, under the key of
/// its dead letter).
public struct DeadLetterPutBack: Hashable, Sendable {
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
