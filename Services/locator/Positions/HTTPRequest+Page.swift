import Events
import HTTP
import ServiceHost
import Wire

extension HTTPRequest {
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
        guard let time = Timestamp(text: text) else {
            throw Problem(
                .timeMalformed, "Send \(name) as a time such as 2026-11-21T08:00:00.000Z.")
        }
        return time
    }
}
