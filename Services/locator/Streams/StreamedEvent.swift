import EventLog
import Events
import HTTP
import Wire

/// A record of `positions` on its way to the streams.
struct StreamedEvent: Sendable {
    /// The number of positions that the hub had read, with this one.
    let number: Int
    /// The record's key, as `site/device`.
    let key: String
    let record: StoredRecord
    var partition: Int { record.partition }
    var offset: Int64 { record.offset }
    var value: [UInt8] { record.value ?? [] }
    /// The hub's progress after this record.
    let vector: StreamVector

    /// Nil for a record that is no position, because it lacks a key or a value.
    init?(_ record: StoredRecord, number: Int, vector: StreamVector) {
        guard let key = record.key.flatMap({ String(validating: $0, as: UTF8.self) }),
            record.value != nil, !DeviceErased.isIn(record)
        else { return nil }
        self.number = number
        self.key = key
        self.record = record
        self.vector = vector
    }

    /// The event as clients get it, with the hub's vector as its id.
    func event() -> [UInt8] { Self.event(value, vector) }

    static func event(_ value: [UInt8], _ vector: StreamVector) -> [UInt8] {
        ServerSentEvent(id: vector.text, event: "position", data: value).encoded()
    }

    var site: Substring { key.prefix { $0 != "/" } }
}

/// The site or device whose positions a stream sends.
struct StreamTopic: Hashable, Sendable {
    var site: String
    /// Nil for all devices of the site.
    var device: String?

    var deviceKey: String? { device.map { "\(site)/\($0)" } }

    func wants(_ key: String) -> Bool {
        deviceKey.map { $0 == key } ?? key.utf8.starts(with: "\(site)/".utf8)
    }
}
