import Events
import FaultPoints
import HTTP
import JSON
import ServiceHost
import Wire

/// Where a page ended: the last row's time and id.
struct PageCursor: Sendable {
    var at: Timestamp
    var id: EventID

    init(at: Timestamp, id: EventID) {
        self.at = at
        self.id = id
    }

    init?(_ text: String) {
        let parts = text.split(separator: "~")
        guard parts.count == 2, let at = Int64(parts[0]), let id = EventID(parts[1]) else {
            return nil
        }
        // No page ends at a time that an answer could not have said.
        guard RFC3339.moments.contains(at) || PlantedMistake.uncheckedCursor.isPlanted else {
            return nil
        }
        self.init(at: Timestamp(microseconds: at), id: id)
    }

    var text: String { "\(at.microseconds)~\(id)" }
}

extension HTTPRequest {
    /// The cursor of `?after=...`.
    func cursor() throws(Problem) -> PageCursor? {
        guard let text = firstQuery("after") else { return nil }
        guard let cursor = PageCursor(text) else {
            throw Problem.cursorMalformed
        }
        return cursor
    }

    /// The time in a parameter of the query.
    func time(_ name: String) throws(Problem) -> Timestamp? {
        guard let text = firstQuery(name) else { return nil }
        guard let microseconds = RFC3339.microseconds(text) else {
            throw Problem(
                .timeMalformed, "\(name) takes a time such as 2026-11-21T08:00:00.000Z.")
        }
        return Timestamp(microseconds: microseconds)
    }
}
