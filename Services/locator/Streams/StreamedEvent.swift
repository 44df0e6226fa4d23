import EventLog
import Events
import HTTP
import Site
import Wire

/// Returns the places that may be named to a client now. The site may change while it listens.
typealias StreamSight = @Sendable () -> PlaceSight

/// A record on its way to the streams.
struct StreamedEvent: Sendable {
    /// The number of events that the hub had read, with this one.
    let number: Int
    /// The record's key, as `site/device`.
    let key: String
    /// The name of the event.
    let name: String
    private(set) var record: StoredRecord
    var partition: Int { record.partition }
    var offset: Int64 { record.offset }
    /// The hub's progress after this record.
    let vector: StreamVector

    /// Nil for a record that no stream sends, or that lacks a key or a value.
    init?(_ record: StoredRecord, of source: StreamSource, number: Int, vector: StreamVector) {
        guard let key = record.key.flatMap({ String(validating: $0, as: UTF8.self) }),
            record.value != nil, let name = source.eventName(of: record)
        else { return nil }
        self.number = number
        self.key = key
        self.name = name
        self.record = record
        self.vector = vector
    }

    /// The event as clients get it.
    /// - Parameter ahead: the progress of a stream that is ahead of the hub, as the event's id.
    func event(at ahead: StreamVector? = nil) -> [UInt8] {
        let id = (ahead ?? vector).text
        return ServerSentEvent(id: id, event: name, data: record.value ?? []).encoded()
    }

    /// The event without places that may not be named; nil for one that is about such a place, or
    /// can't be read.
    func seen(by sight: PlaceSight) -> StreamedEvent? {
        var seen = self
        switch record.headers["ce_type"] {
        case EventType.positionEstimated.name:
            guard let position = try? PositionEstimated(record: record) else { return nil }
            seen.record.value = sight.position(position).json
        case EventType.groupEntered.name:
            guard let event = try? GroupEntered(record: record), sight.shows(event.group),
                sight.shows(event.floor)
            else { return nil }
        case EventType.groupLeft.name:
            guard let event = try? GroupLeft(record: record), sight.shows(event.group),
                sight.shows(event.floor)
            else { return nil }
        default: return nil
        }
        return seen
    }

    var site: Substring { key.prefix { $0 != "/" } }
}

/// The site or device whose events a stream sends.
struct StreamTopic: Hashable, Sendable {
    var site: String
    /// Nil for all devices of the site.
    var device: String?

    var deviceKey: String? { device.map { "\(site)/\($0)" } }

    func wants(_ key: String) -> Bool {
        deviceKey.map { $0 == key } ?? key.utf8.starts(with: "\(site)/".utf8)
    }
}
