import Postgres

/// Waiting events that are appended together: neighbours of one topic, either all with a value or
/// all tombstones.
///
/// The log promises no order between records of several keys in one append. So events of another
/// topic come only when those before them are durable: what an event announces is on the log before
/// the announcement. After a crash only one run is appended again, so no tombstone can come again
/// behind a newer value of its key.
struct OutboxRun {
    var rows: [PostgresRow]
    private let topic: String
    private let isTombstone: Bool

    private init(_ row: PostgresRow, _ topic: String, isTombstone: Bool) {
        rows = [row]
        self.topic = topic
        self.isTombstone = isTombstone
    }

    static func runs(of rows: PostgresRows) throws -> [OutboxRun] {
        var runs: [OutboxRun] = []
        for row in rows {
            let topic: String = try row["topic"]
            let value: [UInt8]? = try row["value"]
            if let last = runs.last, last.topic == topic, last.isTombstone == (value == nil) {
                runs[runs.count - 1].rows.append(row)
            } else {
                runs.append(OutboxRun(row, topic, isTombstone: value == nil))
            }
        }
        return runs
    }
}
