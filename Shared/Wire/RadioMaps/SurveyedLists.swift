public import Events
public import JSON

/// An access point that a site's surveys received.
public struct ListedAccessPoint: Listed {
    public static var listName: StaticString { "accessPoints" }

    private let id: String
    private let name: String?
    private let firstHeard: Timestamp
    private let lastHeard: Timestamp
    private let measurements: Int
    private let change: String?
    private let reason: String?
    private let radio: String?

    /// - Parameters:
    ///   - change: the access point's change, as JSON.
    ///   - reason: why it is not in the map; nil for one that is.
    ///   - radio: the first of the addresses that belong to the same radio.
    public init(
        id: String, name: String?, firstHeard: Timestamp, lastHeard: Timestamp,
        measurements: Int, change: String?, reason: String?, radio: String?
    ) {
        self.id = id
        self.name = name
        self.firstHeard = firstHeard
        self.lastHeard = lastHeard
        self.measurements = measurements
        self.change = change
        self.reason = reason
        self.radio = radio
    }

    public var cursor: String? { id }

    public func writeMembers(to writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("name", name)
        writer.field("firstHeard", microseconds: firstHeard.microseconds)
        writer.field("lastHeard", microseconds: lastHeard.microseconds)
        writer.field("measurements", measurements)
        writer.field("use", reason == nil ? "used" : "ignored")
        writer.field("reason", reason)
        if let change {
            writer.name("change")
            writer.raw(json: change)
        }
        writer.field("radio", radio)
    }
}

/// One reading of an access point.
public struct ListedMeasurement: Listed {
    public static var listName: StaticString { "measurements" }

    private let survey: String
    private let rssi: Int
    private let frequency: Int?

    public init(survey: String, rssi: Int, frequency: Int?) {
        self.survey = survey
        self.rssi = rssi
        self.frequency = frequency
    }

    public var cursor: String? { survey }

    public func writeMembers(to writer: inout JSONWriter) {
        writer.field("survey", survey)
        writer.field("rssi", rssi)
        writer.field("frequency", frequency)
    }
}

/// The fingerprint of a place.
public struct ListedFingerprint: Listed {
    public static var listName: StaticString { "fingerprints" }

    public let cursor: String?
    private let place: String
    private let fingerprint: String

    /// - Parameter fingerprint: the event as JSON.
    public init(place: String, fingerprint: String, cursor: String) {
        self.place = place
        self.fingerprint = fingerprint
        self.cursor = cursor
    }

    public func writeMembers(to writer: inout JSONWriter) {
        writer.field("place", place)
        writer.name("fingerprint")
        writer.raw(json: fingerprint)
    }
}
