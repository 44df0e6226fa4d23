import Events
import HTTP
import ServiceHost
import Synchronization
import Wire

/// Answers with all positions of a query (`limit=all`), a page at a time and at the client's pace.
struct PositionHistories: Sendable {
    /// The most such answers at a time, and of one client. Each keeps a page in memory.
    private let open = Turns(atOnce: 8, ofOneAtOnce: 4, waiting: 0)
    /// Pages are read one after the other. So such answers never take more than one connection to
    /// the database, and a client that stands still delays nobody.
    private let reading = Turns(atOnce: 1, ofOneAtOnce: 1, waiting: 8)

    /// - Parameter check: called before the answer begins, with whether there is any position.
    /// - Throws: a `Problem` for a format that needs all positions at once, or that of `check`.
    func all(
        of query: PositionQuery, in stored: StoredPositions, _ format: PositionFormat,
        _ request: HTTPRequest, check: (_ hasRows: Bool) async throws -> Void
    ) async throws -> HTTPResponse {
        guard format.isEndless else {
            throw Problem(
                .notAcceptable,
                "With limit=all positions come as application/x-ndjson or text/csv.")
        }
        let name = request.principal?.id ?? request.senderText
        let history = PositionHistory(
            query, stored, format, turn: try await open.acquire(for: name), reading)
        // The first page comes with the answer's status, so that its errors have one too.
        let first = try await history.next()
        try await check(history.hasRows)
        return HTTPResponse(
            headers: [("content-type", format.contentType)],
            body: .pulled { try await history.after(first) })
    }
}

/// One answer with all positions. Only the answer's task uses it.
private final class PositionHistory: Sendable {
    private struct State {
        var query: PositionQuery
        var hasBegun = false
        var hasRows = false
        var isAtEnd = false
        var hasSentFirst = false
    }

    private let stored: StoredPositions
    private let format: PositionFormat
    /// Held until the answer has ended or its client has gone.
    private let turn: Turns.Turn
    private let reading: Turns
    private let state: Mutex<State>

    init(
        _ query: PositionQuery, _ stored: StoredPositions, _ format: PositionFormat,
        turn: Turns.Turn, _ reading: Turns
    ) {
        self.stored = stored
        self.format = format
        self.turn = turn
        self.reading = reading
        state = Mutex(State(query: query))
    }

    /// Whether a page so far had positions.
    var hasRows: Bool { state.withLock { $0.hasRows } }

    /// The bytes of the first page, and then of the next ones.
    func after(_ first: [UInt8]?) async throws -> [UInt8]? {
        let isFirst = state.withLock { state in
            defer { state.hasSentFirst = true }
            return !state.hasSentFirst
        }
        return isFirst ? first : try await next()
    }

    /// The next page; nil after the last one.
    func next() async throws -> [UInt8]? {
        let (query, hasBegun, isAtEnd) = state.withLock {
            ($0.query, $0.hasBegun, $0.isAtEnd)
        }
        guard !isAtEnd else {
            turn.end()
            return nil
        }
        let reads = try await reading.acquire(for: "\(ObjectIdentifier(self))")
        defer { reads.end() }
        let positions = try await query.run(stored)
        state.withLock { state in
            state.hasBegun = true
            state.hasRows = state.hasRows || !positions.isEmpty
            state.isAtEnd = positions.count < query.limit
            state.query.after =
                positions.last.map { PageCursor(at: $0.at, id: $0.id) } ?? query.after
        }
        return format.encode(positions, isContinued: hasBegun)
    }
}
