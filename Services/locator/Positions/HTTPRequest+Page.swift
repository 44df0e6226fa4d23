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

    /// The period of `?from=` and `?until=`, each of which may be left out.
    /// - Throws: also where the period ends before it begins, which has nothing in it.
    func period() throws(Problem) -> (from: Timestamp?, until: Timestamp?) {
        let (from, until) = (try time("from"), try time("until"))
        if let from, let until, from > until {
            throw Problem(.fieldOutOfRange, "from: send a time before `until`.")
        }
        return (from, until)
    }
}
