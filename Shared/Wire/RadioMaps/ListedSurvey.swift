public import Events
public import JSON

/// A survey with its state: counted, kept aside, accepted, rejected, cleared
/// with its place, or withdrawn.
public struct ListedSurvey: Listed {
    public static var listName: StaticString { "surveys" }

    private let survey: SurveyRecorded
    private let author: String?
    private let at: Timestamp
    private let state: String

    public init(_ survey: SurveyRecorded, author: String?, at: Timestamp, state: String) {
        self.survey = survey
        self.author = author
        self.at = at
        self.state = state
    }

    public var cursor: String? { survey.scan.id.description }

    public func writeMembers(to writer: inout JSONWriter) {
        writer.field("id", survey.scan.id.description)
        writer.field("author", author)
        writer.field("at", microseconds: at.microseconds)
        writer.field("device", survey.scan.device.text)
        writer.field("state", state)
        let content = survey.scan.content
        writer.field(
            "readings", content.wifi.count + content.ble.count + content.heardBy.count)
        survey.place.writeMembers(to: &writer)
    }
}

extension SurveyPlace {
    func writeMembers(to writer: inout JSONWriter) {
        switch self {
        case .location(let location): writer.field("location", location.text)
        case .metres(let floor, let x, let y):
            writer.field("floor", floor.text)
            writer.field("x", x, decimals: 3)
            writer.field("y", y, decimals: 3)
        case .geographic(let floor, let latitude, let longitude):
            writer.field("floor", floor.text)
            writer.field("latitude", latitude)
            writer.field("longitude", longitude)
        }
    }
}
