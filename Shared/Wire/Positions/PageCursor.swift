public import Events
internal import FaultPoints
internal import JSON

/// The end of a page: the time and id of its last row.
public struct PageCursor: Sendable {
    public var at: Timestamp
    public var id: EventID

    public init(at: Timestamp, id: EventID) {
        self.at = at
        self.id = id
    }

    public init?(_ text: String) {
        let parts = text.split(separator: "~")
        guard parts.count == 2, let at = Int64(parts[0]), let id = EventID(parts[1]) else {
            return nil
        }
        // No answer can have contained a time outside of this range, so such a cursor is a forgery.
        guard RFC3339.moments.contains(at) || PlantedMistake.uncheckedCursor.isPlanted else {
            return nil
        }
        self.init(at: Timestamp(microseconds: at), id: id)
    }

    public var text: String { "\(at.microseconds)~\(id)" }
}
