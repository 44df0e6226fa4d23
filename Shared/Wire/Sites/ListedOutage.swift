public import Events
public import JSON

/// An outage, its end, and whether it holds now.
public struct ListedOutage: Listed {
    public static var listName: StaticString { "outages" }

    private let reported: OutageReported
    private let ended: OutageEnded?
    private let isActive: Bool

    public init(_ reported: OutageReported, ended: OutageEnded?, at moment: Timestamp) {
        self.reported = reported
        self.ended = ended
        isActive = ended == nil && reported.isActive(at: moment)
    }

    public var cursor: String? { reported.id.description }

    public func writeMembers(to writer: inout JSONWriter) {
        reported.writeMembers(to: &writer)
        writer.field("endedAt", microseconds: ended?.endedAt.microseconds)
        writer.field("endedBy", ended?.endedBy)
        writer.field("active", isActive)
    }
}
