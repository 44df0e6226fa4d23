import Retrying
import Synchronization

/// The second part of a processor's state, which is made from its own outputs since its last state
/// records. It is for state that is too large to be stored with every transaction.
public struct StateTail<State: Sendable>: Sendable {
    /// A topic of outputs, with the same partitions as the input.
    public var topic: String
    /// The time, in microseconds, from which on records may say more than the state records did;
    /// nil if none do.
    public var from: @Sendable (State) -> Int64?
    /// Applies one record of the topic to the state. It may say what the state has already.
    public var restore: @Sendable (inout State, StoredRecord) -> Void

    public init(
        topic: String, from: @escaping @Sendable (State) -> Int64?,
        restore: @escaping @Sendable (inout State, StoredRecord) -> Void
    ) {
        self.topic = topic
        self.from = from
        self.restore = restore
    }
}

/// Reads the state of a processor's partitions back while the processor goes on polling. Each
/// partition is handed over as soon as its state is complete. Failed reads are retried with growing
/// pauses.
///
/// The order matters. A member reports a partition as assigned once its committed offset is known,
/// which waits for a pending transaction of the former owner. Only then do we ask for the end of
/// the state topic, open transactions included, so no state of that owner is missed. Asking for all
/// of the group's commits would also wait for dead members' transactions on other partitions.
final class StateRestoring<State: Sendable>: Sendable {
    /// How long the processor polls before it checks for restored states again.
    static var pace: Duration { .milliseconds(50) }
    /// The number of records read at once. State records may be large, and the work on other
    /// partitions goes on between two batches.
    private static var batch: Int { 100 }

    /// The complete state of a partition.
    struct Restored: Sendable {
        var partition: TopicPartition
        var state: State
        /// The offset after the records that made the state; nil where it does not say.
        var next: Int64?
    }

    private struct Progress {
        var lastTicket = 0
        /// The number of the assignment for which each partition is being read.
        var tickets: [TopicPartition: Int] = [:]
        var tasks: [Int: Task<Void, Never>] = [:]
        var restored: [Restored] = []
        var faults: [Int: any Error] = [:]
    }

    private let log: any EventLog
    private let input: String
    private let stateTopic: String?
    private let emptyState: @Sendable (Int) -> State
    private let restore: @Sendable (inout State, StoredRecord) -> Void
    private let tail: StateTail<State>?
    private let progress = Mutex(Progress())

    init(
        log: any EventLog, input: String, stateTopic: String?,
        emptyState: @escaping @Sendable (Int) -> State,
        restore: @escaping @Sendable (inout State, StoredRecord) -> Void,
        tail: StateTail<State>?
    ) {
        self.log = log
        self.tail = tail
        self.input = input
        self.stateTopic = stateTopic
        self.emptyState = emptyState
        self.restore = restore
    }

    var isIdle: Bool { progress.withLock { $0.tickets.isEmpty && $0.restored.isEmpty } }

    /// The error that currently keeps states from being read.
    var fault: (any Error)? { progress.withLock { $0.faults.values.first } }

    /// Removes and returns the states that became complete since the last call.
    func removeRestored() -> [Restored] {
        progress.withLock { progress in
            defer { progress.restored = [] }
            return progress.restored
        }
    }

    func begin(_ partitions: [TopicPartition]) {
        guard !partitions.isEmpty else { return }
        progress.withLock { progress in
            guard let stateTopic else {
                progress.restored += partitions.map {
                    Restored(partition: $0, state: emptyState($0.partition))
                }
                return
            }
            progress.lastTicket += 1
            let ticket = progress.lastTicket
            for partition in partitions { progress.tickets[partition] = ticket }
            progress.tasks[ticket] = Task { await run(ticket, stateTopic) }
        }
    }

    func forget(_ partitions: [TopicPartition]) {
        progress.withLock { progress in
            let gone = Set(partitions)
            progress.restored.removeAll { gone.contains($0.partition) }
            for partition in gone { progress.tickets[partition] = nil }
            for ticket in progress.tasks.keys where !progress.tickets.values.contains(ticket) {
                end(ticket, &progress)
            }
        }
    }

    func forgetAll() {
        progress.withLock { progress in
            for ticket in progress.tasks.keys { end(ticket, &progress) }
            progress.tickets = [:]
            progress.restored = []
        }
    }

    private func end(_ ticket: Int, _ progress: inout Progress) {
        progress.tasks.removeValue(forKey: ticket)?.cancel()
        progress.faults[ticket] = nil
    }

    private func run(_ ticket: Int, _ stateTopic: String) async {
        var pause = GrowingPause(from: .milliseconds(100), to: .seconds(5))
        while !Task.isCancelled {
            do {
                return try await read(ticket, stateTopic)
            } catch let error as EventLogError where error.code == .offsetOutOfRange {
                // Compaction removed the record first. The next attempt reads from what is there
                // now.
                note(EventLogError(.unavailable, error.reason), ticket)
            } catch {
                note(error, ticket)
            }
            try? await Task.sleep(for: pause.next())
        }
    }

    private func note(_ error: (any Error)?, _ ticket: Int) {
        progress.withLock { progress in
            // Nobody needs a partition that was forgotten meanwhile.
            guard progress.tasks[ticket] != nil else { return }
            progress.faults[ticket] = error
        }
    }

    private func wanted(_ ticket: Int) -> [TopicPartition] {
        progress.withLock { $0.tickets.filter { $0.value == ticket }.map(\.key) }
    }

    private func read(_ ticket: Int, _ stateTopic: String) async throws {
        let held = try await log.ranges(of: [stateTopic], withOpenTransactions: true)
        var states: [TopicPartition: State] = [:]
        var ranges: [TopicPartition: Range<Int64>] = [:]
        for partition in wanted(ticket) {
            let place = TopicPartition(stateTopic, partition.partition)
            guard let range = held[place] else {
                throw EventLogError(
                    .partitionMismatch, "\(stateTopic) has fewer partitions than \(input)")
            }
            ranges[place] = range
            states[place] = emptyState(partition.partition)
        }
        var next: [Int: Int64] = [:]
        func handOver(_ partition: Int, _ state: State) {
            finish(
                Restored(
                    partition: TopicPartition(input, partition), state: state,
                    next: next[partition]), ticket)
        }
        var tails: [TopicPartition: Range<Int64>] = [:]
        var unfinished: [TopicPartition: State] = [:]
        func apply(_ state: inout State, _ record: StoredRecord) {
            if let offset = ProcessedOffset.offset(in: record) {
                next[record.partition] = offset
            } else {
                restore(&state, record)
            }
        }
        try await read(ranges, into: &states, ticket, apply) { partition, state in
            guard let tail, let range = try await range(of: tail, partition, for: state) else {
                return handOver(partition, state)
            }
            let place = TopicPartition(tail.topic, partition)
            tails[place] = range
            unfinished[place] = state
        }
        guard let tail else { return }
        try await read(tails, into: &unfinished, ticket, tail.restore) { partition, state in
            handOver(partition, state)
        }
    }

    /// The records of the tail's topic that this state needs; nil for none.
    private func range(
        of tail: StateTail<State>, _ partition: Int, for state: State
    ) async throws -> Range<Int64>? {
        guard let from = tail.from(state) else { return nil }
        let starts = try await log.offsets(of: tail.topic, atMicroseconds: from)
        let bounds = try await log.bounds(of: tail.topic)
        guard partition < starts.count, partition < bounds.count else {
            throw EventLogError(
                .partitionMismatch, "\(tail.topic) has fewer partitions than \(input)")
        }
        let start = max(starts[partition], bounds[partition].start)
        return start..<max(start, bounds[partition].end)
    }

    /// Reads the ranges into their partitions' states, and hands each over when its end is reached.
    private func read(
        _ ranges: [TopicPartition: Range<Int64>], into states: inout [TopicPartition: State],
        _ ticket: Int, _ restore: (inout State, StoredRecord) -> Void,
        whenRead: (Int, State) async throws -> Void
    ) async throws {
        try await log.readRange(
            ranges, batchLimit: Self.batch,
            onEnd: { place in
                guard let state = states.removeValue(forKey: place) else { return }
                try await whenRead(place.partition, state)
            },
            onStall: { missing in
                let places = missing.keys.sorted().map(\.description).joined(separator: ", ")
                let reason = "a transaction on \(places) does not end, or no broker serves it"
                note(EventLogError(.unavailable, reason), ticket)
            },
            { records in
                note(nil, ticket)
                for record in records {
                    guard var state = states.removeValue(forKey: record.topicPartition) else {
                        continue
                    }
                    restore(&state, record)
                    states[record.topicPartition] = state
                }
            })
    }

    private func finish(_ restored: Restored, _ ticket: Int) {
        progress.withLock { progress in
            guard progress.tickets[restored.partition] == ticket else { return }
            progress.tickets[restored.partition] = nil
            progress.restored.append(restored)
            if !progress.tickets.values.contains(ticket) { end(ticket, &progress) }
        }
    }
}
