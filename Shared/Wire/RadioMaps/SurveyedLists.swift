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

/// The id of one reading: its survey, and its number there, from 0.
public struct MeasurementID: Hashable, Sendable, CustomStringConvertible {
    public var survey: EventID
    public var number: Int

    public init(survey: EventID, number: Int) {
        self.survey = survey
        self.number = number
    }

    /// Reads the text form, such as `0193…-….4`; nil for any other text.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let survey = EventID(parts[0]), parts[1].utf8.count <= 6,
            let number = Int(parts[1]), String(number) == parts[1], number >= 0
        else { return nil }
        self.init(survey: survey, number: number)
    }

    public var description: String { "\(survey).\(number)" }
}

/// One reading of a survey.
public struct ListedMeasurement: Listed {
    public static var listName: StaticString { "measurements" }

    public let id: MeasurementID
    public let accessPoint: String
    private let rssi: Int
    private let frequency: Int?
    private let at: Timestamp
    private let place: SurveyPlace

    public init(
        id: MeasurementID, accessPoint: String, rssi: Int, frequency: Int?, at: Timestamp,
        place: SurveyPlace
    ) {
        self.id = id
        self.accessPoint = accessPoint
        self.rssi = rssi
        self.frequency = frequency
        self.at = at
        self.place = place
    }

    public var cursor: String? { id.description }

    public func writeMembers(to writer: inout JSONWriter) {
        writer.field("id", id.description)
        writer.field("survey", id.survey)
        writer.field("accessPoint", accessPoint)
        writer.field("rssi", rssi)
        writer.field("frequency", frequency)
        writer.field("at", at)
        writer.field("place", place)
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
