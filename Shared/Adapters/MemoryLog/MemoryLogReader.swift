import EventLog

actor MemoryLogReader: LogReader {
    private let log: MemoryLog
    private var reading: MemoryReading
    private var isClosed = false

    init(_ log: MemoryLog, _ start: [TopicPartition: Int64]) {
        self.log = log
        reading = MemoryReading(next: start)
    }

    func next(maximum: Int, wait: Duration) async throws(EventLogError) -> [StoredRecord] {
        try await log.wait(for: wait) { () throws(EventLogError) in
            guard !isClosed else { throw EventLogError(.closed, "the reader is closed") }
            let (records, obstacles) = try reading.read(log, maximum)
            if let obstacle = obstacles.first { throw obstacle.error }
            return records.isEmpty ? nil : records
        } ?? []
    }

    func positions() -> [TopicPartition: Int64] { reading.next }

    func close() {
        isClosed = true
        log.server.bell.ring()
    }
}

/// The next offset to be read of each partition.
struct MemoryReading: Sendable {
    var next: [TopicPartition: Int64] = [:]
    /// Rotates the order at each read, so that a busy partition does not keep the others waiting.
    private var turn = 0

    init(next: [TopicPartition: Int64] = [:]) { self.next = next }

    /// The next records of all partitions, and the errors that keep partitions from being read.
    mutating func read(
        _ log: MemoryLog, _ maximum: Int
    ) throws(EventLogError) -> (records: [StoredRecord], obstacles: [Hindrance]) {
        var places = next.keys.sorted()
        if !places.isEmpty {
            turn = (turn + 1) % places.count
            places = Array(places[turn...] + places[..<turn])
        }
        var found: (records: [StoredRecord], obstacles: [Hindrance]) = ([], [])
        let start = next
        let ends = try log.access {
            contents, now throws(EventLogError) -> [TopicPartition: Int64] in
            var ends = start
            for place in places {
                let partition = try contents.topic(place.topic, at: now)
                    .partitions[place.partition]
                do throws(EventLogError) {
                    let (records, next) = try partition.read(
                        from: start[place] ?? 0, maximum - found.records.count)
                    found.records += records
                    ends[place] = next
                } catch { found.obstacles.append(Hindrance(place, error)) }
            }
            return ends
        }
        next = ends
        return found
    }
}
