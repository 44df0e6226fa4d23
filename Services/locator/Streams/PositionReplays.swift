import EventLog
import Events
import ServiceHost
import Wire

/// Bounds what streams that have missed something take of the log: a few read at a time, the others
/// wait, and the tables of tokens and sites never wait for them.
struct PositionReplays: Sendable {
    /// Readers at once; on Kafka each is a consumer. Of one token two.
    private static let readers = 8
    /// Readers that ask the log at once: the log on PostgreSQL has four connections for all that is
    /// read.
    private static let asking = 2

    let log: any EventLog
    private let readers = Turns(atOnce: Self.readers, ofOneAtOnce: 2, waiting: 10_000)
    private let asking = Turns(atOnce: Self.asking, ofOneAtOnce: Self.asking, waiting: 10_000)

    init(log: any EventLog) { self.log = log }

    func turn(for token: String) async throws -> Turns.Turn { try await readers.take(for: token) }

    func read(_ reader: any LogReader) async throws -> [StoredRecord] {
        let turn = try await asking.take(for: "")
        defer { turn.end() }
        return try await reader.next(maximum: 500, wait: .milliseconds(200))
    }

    /// What retention has removed meanwhile can't be sent again; an id from another log must not
    /// wait for offsets that never come.
    func clamped(_ vector: StreamVector) async throws -> StreamVector {
        let bounds = try await log.bounds(of: Topic.positions.name)
        return StreamVector(
            zip(vector.offsets, bounds).map { max($1.start, min($0, $1.end)) })
    }
}
