import EventLog
import Synchronization

/// One call of `append`. It is carried out in pieces, one per partition.
final class AppendRequest: Sendable {
    let records: Int
    let bytes: Int
    private let state: Mutex<(pieces: Int, failure: EventLogError?)>
    private let completion: @Sendable (Result<Void, EventLogError>) -> Void

    init(
        records: Int, bytes: Int,
        completion: @escaping @Sendable (Result<Void, EventLogError>) -> Void
    ) {
        self.records = records
        self.bytes = bytes
        self.completion = completion
        state = Mutex((1, nil))
    }

    /// Sets the number of pieces. The caller does this before it queues any of them.
    func split(into pieces: Int) { state.withLock { $0.pieces = pieces } }

    /// Notes that one piece is done. The last piece completes the request with the first failure,
    /// if any.
    func finishPiece(_ failure: EventLogError?) {
        let isLast = state.withLock { state in
            state.pieces -= 1
            state.failure = state.failure ?? failure
            return state.pieces == 0
        }
        if isLast { completion(state.withLock { $0.failure }.map { .failure($0) } ?? .success(())) }
    }
}

/// The records of one request for one partition.
struct AppendPiece: Sendable {
    var partition: PartitionKey
    var records: [LogRecord]
    var request: AppendRequest

    var byteCount: Int { records.reduce(0) { $0 + $1.byteCount } }
}
