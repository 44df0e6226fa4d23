public import Retrying

/// Consumes a topic in a group and appends outputs, its state and its input offsets atomically.
///
/// The records of a compacted state topic hold a partition's state. Input and state topic have the
/// same partitions. The processor reads the state back when it gets a partition. The work's outputs
/// include the new state records. When a commit fails, the state in memory is dropped and read
/// again, so half-done work is never seen. The state also has the next offset of its partition, in
/// case the group's offset is not of the same transaction (`ProcessedOffset`).
public struct Processor<State: Sendable>: Sendable {
    public struct Configuration: Sendable {
        public var group: String
        public var input: String
        /// The state topic, with as many partitions as the input. Nil for a processor without
        /// state.
        public var stateTopic: String?
        /// The largest number of records in one transaction. `BatchLimit` lowers it where work is
        /// slow.
        public var batchLimit: Int

        public init(group: String, input: String, stateTopic: String?, batchLimit: Int = 500) {
            self.group = group
            self.input = input
            self.stateTopic = stateTopic
            self.batchLimit = batchLimit
        }
    }

    /// Work in a partition to which no record came for a while.
    private typealias Quiet =
        @Sendable (inout State, _ partition: Int, _ elapsed: Duration) -> ProcessorOutputs

    /// How long one poll waits when the processor has nothing else to do.
    private static var wait: Duration { .seconds(1) }

    private let log: any EventLog
    private let configuration: Configuration
    private let emptyState: @Sendable (Int) -> State
    private let restore: @Sendable (inout State, StoredRecord) -> Void
    private let tail: StateTail<State>?
    private let work: @Sendable (inout State, [StoredRecord]) async throws -> ProcessorOutputs
    private let quiet: Quiet?
    private let isReady: @Sendable ([StoredRecord]) -> Bool
    private let deadLetters: DeadLetters
    private let notices: Notices

    /// - Parameters:
    ///   - emptyState: the state of a partition without state records.
    ///   - restore: applies one record of the state topic to the state.
    ///   - tail: outputs from which the rest of the state is made.
    ///   - work: works on one partition's new records in order and returns everything to append. An
    ///     error that it throws is never a single record's fault. Then the batch is retried or the
    ///     processor stops (`FaultCause`).
    ///   - quiet: works on a partition with complete state to which no record came for a second.
    ///     `elapsed` is the time since the partition's last work, with or without records, by this
    ///     machine. It is called at most once a second for each partition, and not while records
    ///     are held. Its outputs are committed with the offset that is committed already.
    ///   - isReady: whether the records can be worked on now. Until then they are held. Other
    ///     partitions go on, and the member keeps its partitions.
    ///   - deadLetters: sets aside records that can never be worked on.
    public init(
        log: any EventLog, configuration: Configuration,
        emptyState: @escaping @Sendable (_ partition: Int) -> State,
        restore: @escaping @Sendable (inout State, StoredRecord) -> Void,
        tail: StateTail<State>? = nil,
        work: @escaping @Sendable (inout State, [StoredRecord]) async throws -> ProcessorOutputs,
        quiet: (
            @Sendable (inout State, _ partition: Int, _ elapsed: Duration) -> ProcessorOutputs
        )? = nil,
        isReady: @escaping @Sendable ([StoredRecord]) -> Bool = { _ in true },
        deadLetters: DeadLetters, notices: Notices
    ) {
        self.log = log
        self.configuration = configuration
        self.emptyState = emptyState
        self.restore = restore
        self.tail = tail
        self.work = work
        self.quiet = quiet
        self.isReady = isReady
        self.deadLetters = deadLetters
        self.notices = notices
    }

    /// Works until the task is cancelled. After faults that may pass it joins the group again, with
    /// growing pauses. Throws when retrying can't help.
    public func run() async throws(ConsumerStopped) {
        let work = "The work of \(configuration.group) on \(configuration.input)"
        try await attemptUntilDone(
            work, notices: notices, throwIfFinal: ConsumerStopped.throwIfOurs
        ) { retry in
            try await log.withMember(of: configuration.group, topics: [configuration.input]) {
                try await drive($0, &retry)
            }
        }
    }

    /// The facts that a member has of its partitions.
    private struct Memory {
        /// The complete states.
        var states: [TopicPartition: State] = [:]
        /// The first offset of each partition whose state is not complete yet.
        var starts: [TopicPartition: Int64] = [:]
        var shares: [TopicPartition: SetAsideShare] = [:]
        var quiet = QuietPartitions()

        mutating func forget(_ partitions: [TopicPartition]) {
            for partition in partitions {
                states[partition] = nil
                starts[partition] = nil
            }
            quiet.forget(partitions)
        }

        /// The member has rewound. Its next polls report the partitions as revoked, then as
        /// assigned.
        mutating func rewind() {
            states = [:]
            shares = [:]
            quiet = QuietPartitions()
        }
    }

    /// Polls while state is still being read back, so that the member stays in the group.
    /// Partitions whose state is complete are worked on already.
    private func drive(_ member: any GroupMember, _ retry: inout Retry) async throws {
        var memory = Memory()
        var held = HeldRecords()
        var limit = BatchLimit(configuration.batchLimit)
        let restoring = StateRestoring(
            log: log, input: configuration.input, stateTopic: configuration.stateTopic,
            emptyState: emptyState, restore: restore, tail: tail)
        defer { restoring.forgetAll() }
        var hindrance: EventLogError?
        var lookedAt = ContinuousClock.now
        while !Task.isCancelled {
            for restored in restoring.removeRestored() {
                try await begin(restored, member, &memory)
            }
            let wait = restoring.isIdle ? Self.wait : StateRestoring<State>.pace
            switch try await member.poll(
                maximum: limit.now,
                wait: held.isEmpty ? wait : min(wait, Self.holdInterval))
            {
            case .assigned(let partitions):
                held.forget(partitions)
                memory.starts.merge(try await member.hold(partitions)) { $1 }
                restoring.begin(partitions)
            case .revoked(let partitions):
                held.forget(partitions)
                memory.forget(partitions)
                restoring.forget(partitions)
            case .records(let records):
                let due = try await due(records, &held, member, atMost: limit.now)
                let isFree = quiet != nil && held.isEmpty && isReady([])
                try await process(due, isFree ? quiet : nil, member, &memory, &limit, &retry)
                // A commit that failed has rewound the member.
                if memory.states.isEmpty { held.forgetAll() }
                if let fault = restoring.fault { try ConsumerStopped.throwIfOurs(fault) }
                if .now - lookedAt > Self.wait {
                    hindrance = await member.hindrances().first?.error
                    lookedAt = .now
                }
                if let fault = restoring.fault ?? hindrance {
                    retry.failed(fault)
                } else if !memory.states.isEmpty {
                    // A poll without records and partitions may mean that the log is still
                    // unreachable.
                    retry.ended()
                }
            }
        }
    }

    /// Begins the work on a partition whose state is complete.
    private func begin(
        _ restored: StateRestoring<State>.Restored, _ member: any GroupMember,
        _ memory: inout Memory
    ) async throws {
        let partition = restored.partition
        memory.states[partition] = restored.state
        if let start = memory.starts.removeValue(forKey: partition) {
            let next = try await goBack(partition, from: start, to: restored.next, member)
            if quiet != nil {
                let first = next < 0 ? try await log.start(of: partition) : next
                memory.quiet.worked(partition, upTo: first, now: .now)
            }
        }
        try await member.begin([partition])
    }

    /// Reads a held partition from its state's offset where the group's is a little ahead of it.
    ///
    /// - Returns: the offset from which the partition is read.
    private func goBack(
        _ partition: TopicPartition, from start: Int64, to next: Int64?, _ member: any GroupMember
    ) async throws -> Int64 {
        let most = Int64(configuration.batchLimit)
        guard let next, ProcessedOffset.isBehind(next, start, atMost: most) else { return start }
        guard try await log.start(of: partition) <= next else { return start }
        notices.onUnexpected(
            "The offset of \(configuration.group) on \(partition) is \(start), but its state is of "
                + "\(next). The records between are worked on now.")
        try await member.seek(partition, to: next)
        try await member.hold([partition])
        return next
    }

    /// How often the processor checks whether held records can be worked on.
    private static var holdInterval: Duration { .milliseconds(100) }

    /// The records that can be worked on now, out of the new ones and the held ones.
    private func due(
        _ records: [StoredRecord], _ held: inout HeldRecords, _ member: any GroupMember,
        atMost limit: Int
    ) async throws -> [StoredRecord] {
        if held.isEmpty, records.isEmpty || isReady(records) { return records }
        let goBack = held.add(records)
        for (partition, offset) in goBack { try await member.seek(partition, to: offset) }
        if !goBack.isEmpty { try await Task.sleep(for: Self.holdInterval) }
        return held.next(limit, isReady)
    }

    /// Works on a batch and commits it. Records that can't be worked on or whose outputs are too
    /// large are set aside before the transaction begins. So no transaction is aborted just to find
    /// a bad record.
    ///
    /// - Parameter quiet: works on the partitions to which no record came; nil for none.
    private func process(
        _ records: [StoredRecord], _ quiet: Quiet?, _ member: any GroupMember,
        _ memory: inout Memory, _ limit: inout BatchLimit, _ retry: inout Retry
    ) async throws {
        var outputs: [LogRecord] = []
        var next: [TopicPartition: Int64] = [:]
        let began = ContinuousClock.now
        for (partition, batch) in Dictionary(grouping: records, by: \.topicPartition) {
            guard var state = memory.states.removeValue(forKey: partition), let last = batch.last
            else {
                // The partition is no longer assigned: its records are another member's.
                continue
            }
            var made = try await work(&state, batch)
            memory.states[partition] = state
            try made.setAsideWhatIsTooLarge(batch, deadLetters)
            try memory.shares.note(batch, made.setAside, sender: deadLetters.sender)
            outputs += made.records
            outputs += made.setAside.map(deadLetters.letter)
            next[partition] = last.offset + 1
            memory.quiet.worked(partition, upTo: last.offset + 1, now: began)
            if let topic = configuration.stateTopic {
                outputs.append(
                    ProcessedOffset.record(last.offset + 1, of: partition.partition, in: topic))
            }
        }
        limit.worked(records.count, in: .now - began)
        for due in quiet == nil ? [] : memory.quiet.due(now: began) {
            guard let quiet, var state = memory.states.removeValue(forKey: due.partition) else {
                continue
            }
            var made = quiet(&state, due.partition.partition, due.elapsed)
            memory.states[due.partition] = state
            try made.setAsideWhatIsTooLarge([], deadLetters)
            if !made.records.isEmpty { next[due.partition] = due.next }
            outputs += made.records
        }
        guard !next.isEmpty else { return }
        do throws(EventLogError) {
            try await member.commit(outputs, next: next)
        } catch {
            guard error.isRetriable || error.code == .fenced else { throw error }
            memory.rewind()
            retry.failed(error)
        }
    }
}

extension EventLog {
    /// The offset of the partition's oldest record.
    fileprivate func start(of partition: TopicPartition) async throws -> Int64 {
        let bounds = try await bounds(of: partition.topic)
        guard bounds.indices.contains(partition.partition) else {
            throw EventLogError(.unavailable, "\(partition) is not in the log yet")
        }
        return bounds[partition.partition].start
    }
}
