public import Events
public import JSON

/// A tap as surveyors see it, who may make a survey of it.
public struct ListedTap: Listed {
    public static var listName: StaticString { "taps" }

    private let tap: TapRecorded
    private let isSurvey: Bool

    /// - Parameter isSurvey: whether a surveyor has made a survey of it.
    public init(_ tap: TapRecorded, isSurvey: Bool) {
        self.tap = tap
        self.isSurvey = isSurvey
    }

    public var cursor: String? { tap.scan.id.description }

    public func writeMembers(to writer: inout JSONWriter) {
        writer.field("id", tap.scan.id.description)
        writer.field("author", tap.author)
        writer.field("at", microseconds: tap.scan.correctedAt.microseconds)
        writer.field("receivedAt", microseconds: tap.scan.receivedAt.microseconds)
        writer.field("device", tap.scan.device.text)
        writer.field("readings", tap.scan.wifi.count + tap.scan.ble.count + tap.scan.heardBy.count)
        writer.field("isSurvey", isSurvey)
        tap.place.writeMembers(to: &writer)
    }
}
