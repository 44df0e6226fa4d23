import HTTP
import ServiceHost
import Synchronization

/// A list that is read a page at a time.
protocol ListPages: Sendable {
    /// Reads the next page as bytes.
    mutating func next() async throws -> ListPage
    /// The bytes that end the list.
    ///
    /// - Parameter count: the number of its rows.
    func end(_ count: Int) -> [UInt8]
}

/// A page of a list.
struct ListPage: Sendable {
    var bytes: [UInt8]
    var count: Int
    var isLast: Bool
}

/// Answers with all rows of a query (`limit=all`), a page at a time and at the client's pace.
struct CompleteLists: Sendable {
    /// The most such answers at a time, and of one client. Each keeps a page in memory.
    private let open = Turns(atOnce: 8, ofOneAtOnce: 4, waiting: 0)
    /// Pages are read one after the other. So such answers never take more than one connection to
    /// the database, and a client that stands still delays nobody.
    private let reading = Turns(atOnce: 1, ofOneAtOnce: 1, waiting: 8)

    /// - Parameter check: called before the answer begins, with whether there is any row.
    /// - Throws: a `Problem` where too many such answers are open, or that of `check`.
    func all(
        of pages: some ListPages, headers: [(name: String, value: String)], _ request: HTTPRequest,
        check: (_ hasRows: Bool) async throws -> Void
    ) async throws -> HTTPResponse {
        let name = request.principal?.id ?? request.senderText
        let list = CompleteList(pages, turn: try await open.acquire(for: name), reading)
        // The first page comes with the answer's status, so that its errors have one too.
        let first = try await list.next()
        try await check(list.hasRows)
        return HTTPResponse(headers: headers, body: .pulled { try await list.after(first) })
    }
}

/// One answer with all rows. Only the answer's task uses it.
private final class CompleteList<Pages: ListPages>: Sendable {
    private struct State {
        var pages: Pages
        var count = 0
        var isAtEnd = false
        var hasEnded = false
        var hasSentFirst = false
    }

    /// Held until the answer has ended or its client has gone.
    private let turn: Turns.Turn
    private let reading: Turns
    private let state: Mutex<State>

    init(_ pages: Pages, turn: Turns.Turn, _ reading: Turns) {
        self.turn = turn
        self.reading = reading
        state = Mutex(State(pages: pages))
    }

    /// Whether a page so far had rows.
    var hasRows: Bool { state.withLock { $0.count > 0 } }

    /// The bytes of the first page, and then of the next ones.
    func after(_ first: [UInt8]?) async throws -> [UInt8]? {
        let isFirst = state.withLock { state in
            defer { state.hasSentFirst = true }
            return !state.hasSentFirst
        }
        return isFirst ? first : try await next()
    }

    /// The next page; the end of the list after the last one, and nil after that.
    func next() async throws -> [UInt8]? {
        var (pages, isAtEnd) = state.withLock { ($0.pages, $0.isAtEnd) }
        guard !isAtEnd else {
            let end = state.withLock { state -> [UInt8]? in
                defer { state.hasEnded = true }
                return state.hasEnded ? nil : pages.end(state.count)
            }
            if let end, !end.isEmpty { return end }
            turn.end()
            return nil
        }
        let reads = try await reading.acquire(for: "\(ObjectIdentifier(self))")
        defer { reads.end() }
        let page = try await pages.next()
        state.withLock { state in
            state.pages = pages
            state.count += page.count
            state.isAtEnd = page.isLast
        }
        return page.bytes
    }
}
