/// Consumes a topic in a group and appends outputs, its state and its input offsets atomically.
///
/// The state of a partition is what the records of the same partition of a compacted state topic
/// say; it is read back on assignment. The worker's outputs include its state records. When a
/// commit fails, the state in memory is dropped and read again, so nothing half-done is ever seen.
public struct Processor<State: Sendable>: Sendable {
    public struct Configuration: Sendable {
        public var group: String
        public var input: String
        /// Same number of partitions as the input; nil for a processor without state.
        public var stateTopic: String?
        /// Most records worked on in one transaction.
        public var batchLimit: Int

        public init(group: String, input: String, stateTopic: String?, batchLimit: Int = 500) {
            self.group = group
            self.input = input
            self.stateTopic = stateTopic
            self.batchLimit = batchLimit
        }
    }

    private let log: any EventLog
    private let configuration: Configuration
    private let emptyState: @Sendable (Int) -> State
    private let restore: @Sendable (inout State, StoredRecord) -> Void
    private let work: @Sendable (inout State, [StoredRecord]) async throws -> ProcessorOutputs
    private let isReady: @Sendable ([StoredRecord]) -> Bool
    private let deadLetters: DeadLetters
    private let notices: Notices

    /// - Parameters:
    ///   - emptyState: the state of a partition of which nothing is known.
    ///   - restore: takes one record of the state topic into the state.
    ///   - work: one partition's new records in order; gives everything to append. When it throws, the
    ///     fault is no record's: the batch is tried again, or the processor stops (`FaultCause`).
    ///   - isReady: whether the records can be worked on now. Until they can, they are held: those of
    ///     other partitions go on, and the member keeps its partitions.
    ///   - deadLetters: how records are set aside that can never be worked on.
    public init(
        log: any EventLog, configuration: Configuration,
        emptyState: @escaping @Sendable (_ partition: Int) -> State,
        restore: @escaping @Sendable (inout State, StoredRecord) -> Void,
        work: @escaping @Sendable (inout State, [StoredRecord]) async throws -> ProcessorOutputs,
        isReady: @escaping @Sendable ([StoredRecord]) -> Bool = { _ in true },
        deadLetters: DeadLetters, notices: Notices
    ) {
        self.log = log
        self.configuration = configuration
        self.emptyState = emptyState
        self.restore = restore
        self.work = work
        self.isReady = isReady
        self.deadLetters = deadLetters
        self.notices = notices
    }

    /// Works until the task is cancelled; joins anew after faults that may pass, with growing pauses.
    /// Throws when it can't go on at all.
    public func run() async throws(ConsumerStopped) {
        let work = "The work of \(configuration.group) on \(configuration.input)"
        try await attemptUntilDone(
            work, notices: notices, throwIfFinal: ConsumerStopped.throwIfOurs
        ) { outage in
            try await log.withMember(of: configuration.group, topics: [configuration.input]) {
                try await drive($0, &outage)
            }
        }
    }

    private func drive(_ member: any GroupMember, _ outage: inout Outage) async throws {
        var states: [TopicPartition: State] = [:]
        var shares: [TopicPartition: SetAsideShare] = [:]
        var held = HeldRecords()
        while !Task.isCancelled {
            let wait = held.isEmpty ? Duration.seconds(1) : Self.holdInterval
            switch try await member.poll(maximum: configuration.batchLimit, wait: wait) {
            case .assigned(let partitions):
                held.forget(partitions)
                for (partition, state) in try await restored(partitions) {
                    states[partition] = state
                }
            case .revoked(let partitions):
                held.forget(partitions)
                for partition in partitions { states[partition] = nil }
            case .records(let records):
                let due = try await due(records, &held, member)
                if !due.isEmpty {
                    try await process(due, member: member, states: &states, &shares, &outage)
                    // A commit that failed has rewound the member.
                    if states.isEmpty { held.forgetAll() }
                }
                // No records and no partitions either may mean that the log is away still.
                if !states.isEmpty { outage.ended() }
            }
        }
    }

    /// How often it is asked whether held records can be worked on.
    private static var holdInterval: Duration { .milliseconds(100) }

    /// What can be worked on of the records that have come and those that are held.
    private func due(
        _ records: [StoredRecord], _ held: inout HeldRecords, _ member: any GroupMember
    ) async throws -> [StoredRecord] {
        if held.isEmpty, records.isEmpty || isReady(records) { return records }
        let goBack = held.add(records)
        for (partition, offset) in goBack { try await member.seek(partition, to: offset) }
        if !goBack.isEmpty { try await Task.sleep(for: Self.holdInterval) }
        return held.next(configuration.batchLimit, isReady)
    }

    /// What can't be worked on, and what would come out too large, is set aside before the transaction
    /// begins: a transaction is never given up to find a record.
    private func process(
        _ records: [StoredRecord], member: any GroupMember,
        states: inout [TopicPartition: State], _ shares: inout [TopicPartition: SetAsideShare],
        _ outage: inout Outage
    ) async throws {
        var outputs: [LogRecord] = []
        var next: [TopicPartition: Int64] = [:]
        for (partition, batch) in Dictionary(grouping: records, by: \.topicPartition) {
            guard var state = states.removeValue(forKey: partition), let last = batch.last else {
                // Not assigned any more: the records are another member's.
                continue
            }
            var made = try await work(&state, batch)
            states[partition] = state
            try made.setAsideWhatIsTooLarge(batch, deadLetters)
            try shares.note(batch, made.setAside, sender: deadLetters.sender)
            outputs += made.records
            outputs += made.setAside.map(deadLetters.letter)
            next[partition] = last.offset + 1
        }
        do throws(EventLogError) {
            try await member.commit(outputs, next: next)
        } catch {
            guard error.isRetriable || error.code == .fenced else { throw error }
            // The member has rewound; its next polls say revoked and assigned.
            states = [:]
            shares = [:]
            outage.failed(error)
        }
    }

    /// The order matters: a member reports a partition as assigned when its committed offset is
    /// known, which waits for a former owner's pending transaction. The end of the state topic is
    /// asked for after that, so that no state of that owner is missed. To ask here for what the whole
    /// group has committed would wait for transactions of dead members that are none of ours.
    private func restored(
        _ partitions: [TopicPartition]
    ) async throws -> [TopicPartition: State] {
        var states: [TopicPartition: State] = [:]
        for partition in partitions { states[partition] = emptyState(partition.partition) }
        guard let stateTopic = configuration.stateTopic else { return states }
        let held = try await log.ranges(of: [stateTopic])
        var ranges: [TopicPartition: Range<Int64>] = [:]
        for partition in partitions {
            let place = TopicPartition(stateTopic, partition.partition)
            guard let range = held[place] else {
                throw EventLogError(
                    .partitionMismatch,
                    "\(stateTopic) has fewer partitions than \(configuration.input)")
            }
            ranges[place] = range
        }
        try await log.readRange(ranges) { records in
            for record in records {
                let owner = TopicPartition(configuration.input, record.partition)
                guard var state = states.removeValue(forKey: owner) else { continue }
                restore(&state, record)
                states[owner] = state
            }
        }
        return states
    }
}
