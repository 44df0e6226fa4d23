public import Retrying

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
        /// Most records worked on in one transaction; fewer where work takes long (`BatchLimit`).
        public var batchLimit: Int

        public init(group: String, input: String, stateTopic: String?, batchLimit: Int = 500) {
            self.group = group
            self.input = input
            self.stateTopic = stateTopic
            self.batchLimit = batchLimit
        }
    }

    /// For one poll, where nothing else is to be looked after.
    private static var wait: Duration { .seconds(1) }

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
    ///   - work: one partition's new records in order; gives everything to append. When it throws,
    ///     the fault is no record's: the batch is tried again, or the processor stops
    ///     (`FaultCause`).
    ///   - isReady: whether the records can be worked on now. Until they can, they are held: those
    ///     of other partitions go on, and the member keeps its partitions.
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

    /// Works until the task is cancelled; joins anew after faults that may pass, with growing
    /// pauses. Throws when it can't go on at all.
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

    /// Polls go on while state is read back, so that this stays a member however long that takes,
    /// and works on the partitions that are ready.
    private func drive(_ member: any GroupMember, _ retry: inout Retry) async throws {
        var states: [TopicPartition: State] = [:]
        var shares: [TopicPartition: SetAsideShare] = [:]
        var held = HeldRecords()
        var limit = BatchLimit(configuration.batchLimit)
        let restoring = StateRestoring(
            log: log, input: configuration.input, stateTopic: configuration.stateTopic,
            emptyState: emptyState, restore: restore)
        defer { restoring.forgetAll() }
        var hindrance: EventLogError?
        var lookedAt = ContinuousClock.now
        while !Task.isCancelled {
            for (partition, state) in restoring.takeRestored() {
                states[partition] = state
                try await member.begin([partition])
            }
            let wait = restoring.isIdle ? Self.wait : StateRestoring<State>.pace
            switch try await member.poll(
                maximum: limit.now,
                wait: held.isEmpty ? wait : min(wait, Self.holdInterval))
            {
            case .assigned(let partitions):
                held.forget(partitions)
                try await member.hold(partitions)
                restoring.begin(partitions)
            case .revoked(let partitions):
                held.forget(partitions)
                for partition in partitions { states[partition] = nil }
                restoring.forget(partitions)
            case .records(let records):
                let due = try await due(records, &held, member, atMost: limit.now)
                if !due.isEmpty {
                    try await process(
                        due, member: member, states: &states, &shares, &limit, &retry)
                    // A commit that failed has rewound the member.
                    if states.isEmpty { held.forgetAll() }
                }
                if let fault = restoring.fault { try ConsumerStopped.throwIfOurs(fault) }
                if .now - lookedAt > Self.wait {
                    hindrance = await member.hindrances().first?.error
                    lookedAt = .now
                }
                if let fault = restoring.fault ?? hindrance {
                    retry.failed(fault)
                } else if !states.isEmpty {
                    // No records and no partitions either may mean that the log is away still.
                    retry.ended()
                }
            }
        }
    }

    /// How often it is asked whether held records can be worked on.
    private static var holdInterval: Duration { .milliseconds(100) }

    /// What can be worked on of the records that have come and those that are held.
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

    /// What can't be worked on, and what would come out too large, is set aside before the
    /// transaction begins: a transaction is never given up to find a record.
    private func process(
        _ records: [StoredRecord], member: any GroupMember,
        states: inout [TopicPartition: State], _ shares: inout [TopicPartition: SetAsideShare],
        _ limit: inout BatchLimit, _ retry: inout Retry
    ) async throws {
        var outputs: [LogRecord] = []
        var next: [TopicPartition: Int64] = [:]
        let began = ContinuousClock.now
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
        limit.worked(records.count, in: .now - began)
        do throws(EventLogError) {
            try await member.commit(outputs, next: next)
        } catch {
            guard error.isRetriable || error.code == .fenced else { throw error }
            // The member has rewound; its next polls say revoked and assigned.
            states = [:]
            shares = [:]
            retry.failed(error)
        }
    }
}
