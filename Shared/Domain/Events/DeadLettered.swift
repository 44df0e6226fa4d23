/// A record that can never be read, set aside with the reason (topic `dead-letters`).
public struct DeadLettered: Hashable, Sendable {
    public var topic: String
    public var partition: Int
    public var offset: Int64
    /// A stable code, such as `not-json` or `rssi-out-of-range`.
    public var code: String
    public var detail: String
    /// The record's own bytes, cut to the stated limit; absent for a tombstone.
    public var key: [UInt8]?
    public var value: [UInt8]?
    public var at: Timestamp

    /// Topic, partition and offset: the same record always gets the same id.
    public var id: String { "\(topic)/\(partition)/\(offset)" }

    public init(
        topic: String, partition: Int, offset: Int64, code: String, detail: String, key: [UInt8]?,
        value: [UInt8]?, at: Timestamp
    ) {
        self.topic = topic
        self.partition = partition
        self.offset = offset
        self.code = code
        self.detail = detail
        self.key = key
        self.value = value
        self.at = at
    }
}
