import EventLog
import Events
import ServiceHost
import Wire

/// Limits the load on the log from streams that read missed records. A few read at a time and the
/// others wait, so that the tables of tokens and sites never wait for them.
struct StreamReplays: Sendable {
    /// The most readers at once; on Kafka each is a consumer. One token may have two.
    private static let readers = 8
    /// Readers that ask the log at the same time. The log on PostgreSQL has four connections for
    /// all readers.
    private static let asking = 2

    let log: any EventLog
    private var topic: Topic
    private let readers = Turns(atOnce: Self.readers, ofOneAtOnce: 2, waiting: 10_000)
    private let asking = Turns(atOnce: Self.asking, ofOneAtOnce: Self.asking, waiting: 10_000)

    init(log: any EventLog, topic: Topic) {
        self.log = log
        self.topic = topic
    }

    /// The same turns, for the records of another topic.
    func reading(_ topic: Topic) -> StreamReplays {
        var others = self
        others.topic = topic
        return others
    }

    func turn(for token: String) async throws -> Turns.Turn {
        try await readers.acquire(for: token)
    }

    func read(_ reader: any LogReader) async throws -> [StoredRecord] {
        let turn = try await asking.acquire(for: "")
        defer { turn.end() }
        return try await reader.next(maximum: 500, wait: .milliseconds(200))
    }

    /// The vector within the log's offsets. Records that retention has removed can't be sent again,
    /// and an id from another log must not wait for offsets that never come.
    func clamped(_ vector: StreamVector) async throws -> StreamVector {
        let bounds = try await log.bounds(of: topic.name)
        return StreamVector(
            zip(vector.offsets, bounds).map { max($1.start, min($0, $1.end)) })
    }
}
