import EventLog
import Postgres

/// Reads partitions from given offsets on, through the log's pool of connections.
actor PostgresLogReader: LogReader {
    private let log: PostgresLog
    private let signal = WakeSignal()
    private var reading: ReadPositions
    private var isClosed = false

    init(_ log: PostgresLog, _ positions: ReadPositions) {
        self.log = log
        reading = positions
        log.bell.subscribe(signal, to: positions.partitions)
    }

    func next(maximum: Int, wait: Duration) async throws(EventLogError) -> [StoredRecord] {
        let deadline = ContinuousClock.now + wait
        while true {
            guard !isClosed else { throw EventLogError(.closed, "the reader is closed") }
            try await log.ready()
            let isLast = deadline <= .now || Task.isCancelled
            // Kept after a failure too: notifications of others' appends come only once.
            var next = reading
            defer { reading = next }
            let pool = log.pool
            let records = try await next.read(
                maximum, insisting: isLast && !log.mayRely(after: wait), following: log, signal
            ) { statements in
                try await pool.withConnection { try await $0.read(statements) }
            }
            if !records.isEmpty || isLast { return records }
            await signal.wait(for: min(deadline - .now, log.pollInterval))
        }
    }

    func positions() async throws(EventLogError) -> [TopicPartition: Int64] { reading.offsets }

    func close() async {
        isClosed = true
        log.bell.forget(signal, partitions: reading.partitions, group: nil)
        signal.wake()
    }
}

extension PostgresLog {
    /// Checks the start offsets. Throws `unknownTopic`, or `offsetOutOfRange` for a partition that
    /// the topic does not have.
    func resolve(
        _ start: [TopicPartition: Int64]
    ) async throws(EventLogError) -> ReadPositions {
        var positions = ReadPositions()
        for (place, offset) in start {
            let topic = try await resolve(place.topic)
            guard (0..<topic.partitions).contains(place.partition) else {
                throw EventLogError(.offsetOutOfRange, "there is no partition \(place)")
            }
            positions.set(topic, Int32(place.partition), to: offset)
        }
        return positions
    }
}
