import Retrying
import Synchronization

/// Reads the state of a processor's partitions back, beside whatever else its task does, and hands
/// each over as soon as it is whole. What fails is tried again, with growing pauses.
///
/// The order matters: a member reports a partition as assigned when its committed offset is known,
/// which waits for a former owner's pending transaction. The end of the state topic is asked for
/// after that, and open transactions count as there, so that no state of that owner is missed. To
/// ask for what the whole group has committed would wait for transactions of dead members that are
/// none of ours.
final class StateRestoring<State: Sendable>: Sendable {
    /// How long the processor polls before it looks here again.
    static var pace: Duration { .milliseconds(50) }

    private struct Progress {
        var lastTicket = 0
        /// Which assignment each partition is being read for.
        var tickets: [TopicPartition: Int] = [:]
        var tasks: [Int: Task<Void, Never>] = [:]
        var restored: [(TopicPartition, State)] = []
        var faults: [Int: any Error] = [:]
    }

    private let log: any EventLog
    private let input: String
    private let stateTopic: String?
    private let emptyState: @Sendable (Int) -> State
    private let restore: @Sendable (inout State, StoredRecord) -> Void
    private let progress = Mutex(Progress())

    init(
        log: any EventLog, input: String, stateTopic: String?,
        emptyState: @escaping @Sendable (Int) -> State,
        restore: @escaping @Sendable (inout State, StoredRecord) -> Void
    ) {
        self.log = log
        self.input = input
        self.stateTopic = stateTopic
        self.emptyState = emptyState
        self.restore = restore
    }

    var isIdle: Bool { progress.withLock { $0.tickets.isEmpty && $0.restored.isEmpty } }

    /// Why reading does not get on, as long as it does not.
    var fault: (any Error)? { progress.withLock { $0.faults.values.first } }

    /// What has become whole since the last call.
    func takeRestored() -> [(TopicPartition, State)] {
        progress.withLock { progress in
            defer { progress.restored = [] }
            return progress.restored
        }
    }

    func begin(_ partitions: [TopicPartition]) {
        guard !partitions.isEmpty else { return }
        progress.withLock { progress in
            guard let stateTopic else {
                progress.restored += partitions.map { ($0, emptyState($0.partition)) }
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
            progress.restored.removeAll { gone.contains($0.0) }
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
                // Compaction was faster; what is there now is read.
                note(EventLogError(.unavailable, error.reason), ticket)
            } catch {
                note(error, ticket)
            }
            try? await Task.sleep(for: pause.next())
        }
    }

    private func note(_ error: (any Error)?, _ ticket: Int) {
        progress.withLock { progress in
            // Nobody waits for what was forgotten.
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
        func take(_ records: [StoredRecord]) {
            note(nil, ticket)
            for record in records {
                guard var state = states.removeValue(forKey: record.topicPartition) else {
                    continue
                }
                restore(&state, record)
                states[record.topicPartition] = state
            }
        }
        try await log.readRange(
            ranges,
            onEnd: { place in
                guard let state = states.removeValue(forKey: place) else { return }
                finish(TopicPartition(input, place.partition), state, ticket)
            },
            onStall: { missing in
                let places = missing.keys.sorted().map(\.description).joined(separator: ", ")
                let reason = "a transaction on \(places) does not end, or it is not served"
                note(EventLogError(.unavailable, reason), ticket)
            }, take)
    }

    private func finish(_ partition: TopicPartition, _ state: State, _ ticket: Int) {
        progress.withLock { progress in
            guard progress.tickets[partition] == ticket else { return }
            progress.tickets[partition] = nil
            progress.restored.append((partition, state))
            if !progress.tickets.values.contains(ticket) { end(ticket, &progress) }
        }
    }
}
