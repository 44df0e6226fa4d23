import EventLog
public import Events
public import LogViews
import ServiceRuntime
import Wire

extension Host {
    /// What came of putting a record back.
    public enum PutBackOutcome: Sendable {
        case putBack
        /// It was put back before, or was never missing there.
        case notMissing
        /// Its cause is not gone.
        case refused(code: String, detail: String)
        /// The letter does not hold the record whole.
        case notWhole
    }

    /// Members that put back take turns, so that no record is put back twice.
    private static let group = "dead-letters"
    /// How long one waits for its turn.
    private static let patience = Duration.seconds(60)

    /// Puts a record into the view that has set it aside: once, however often it is asked for.
    public func putBack(
        _ letter: DeadLettered, to view: any View
    ) async throws -> PutBackOutcome {
        guard let record = letter.stored else { return .notWhole }
        let outcome = try await ViewPutBack(view, pool: requiredDatabase()).apply(record)
        switch outcome {
        case .refused(let fault): return .refused(code: fault.code, detail: fault.detail)
        case .notMissing: return .notMissing
        case .putBack:
            // For those who read the topic. The view itself remembers.
            try await log.append([marker(letter, view.name)])
            return .putBack
        }
    }

    /// Appends the record once more where a processor reads it, with the same id and as one that is
    /// late, in one transaction with the note that it was: once, however often it is asked for.
    ///
    /// - Parameter box: what is known of the letters; only what came since is read.
    public func putBack(
        _ letter: DeadLettered, toProcessor consumer: String, _ box: inout LetterBox
    ) async throws -> PutBackOutcome {
        try await putBack(letter, toProcessor: consumer, &box, through: log)
    }

    func putBack(
        _ letter: DeadLettered, toProcessor consumer: String, _ box: inout LetterBox,
        through log: any EventLog
    ) async throws -> PutBackOutcome {
        guard let record = letter.stored else { return .notWhole }
        if let refusal = refusal(of: record) { return refusal }
        let records = [
            PutBack.again(record, secret: serviceSecret, at: now), marker(letter, consumer),
        ]
        let topic = Topic.deadLetters.name
        let place = TopicPartition(
            topic,
            partition(forKey: letter.recordKey, of: try await log.partitionCount(of: topic)))
        let wanted = LetterBox.Place(id: letter.id, consumer: consumer)
        var deadline = ContinuousClock.now + Self.patience
        var hasTried = false
        while true {
            do {
                // The long read comes before the turn: a member that does not poll for long loses
                // its partitions.
                let end = try await log.readableEnds(of: topic)[place.partition]
                if try await box.readOn(log, to: [place: end]) {
                    deadline = .now + Self.patience
                }
                return try await inTurn(log, place, until: deadline) { member in
                    let end = try await log.bounds(of: topic)[place.partition].end
                    try await box.readOn(log, to: [place: end])
                    // The note tells how a commit ended whose outcome was not known.
                    guard !box.isPutBack(wanted) else { return hasTried ? .putBack : .notMissing }
                    hasTried = true
                    try await member.commit(records, next: [place: end])
                    return .putBack
                }
            } catch let error as EventLogError
                where (error.isRetriable || error.code == .fenced)
                && ContinuousClock.now < deadline
            {
                // It is not known, or another has taken over: what the log says then is right.
                continue
            }
        }
    }

    /// Without the services' secret nobody would believe that a signed record came in time.
    private func refusal(of record: StoredRecord) -> PutBackOutcome? {
        guard record.topic == Topic.scansInbound.name, record.headers["signature"] != nil,
            configuration.optionalSecret("WHEREABOUTS_SERVICE_SECRET") == nil
        else { return nil }
        return .refused(
            code: ProblemCode.secretMissing.text,
            detail: "a signed record is put back with WHEREABOUTS_SERVICE_SECRET, as the services "
                + "have it")
    }

    /// How a letter compares with the log.
    public enum Original: Sendable {
        /// The letter tells what the log holds.
        case there
        /// The log has dropped it: only the letter tells what it was.
        case gone
        /// The letter is of no record, or tells it wrong. Every service may write letters.
        case otherwise
    }

    /// Compares the letter with the log.
    public func original(of letter: DeadLettered) async throws -> Original {
        guard let stored = letter.stored else { return .gone }
        let place = TopicPartition(letter.topic, letter.partition)
        let bounds = try await log.bounds(of: letter.topic)
        guard bounds.indices.contains(letter.partition),
            letter.offset < bounds[letter.partition].end
        else { return .otherwise }
        guard letter.offset >= bounds[letter.partition].start else { return .gone }
        var found: StoredRecord?
        try await log.readRange([place: letter.offset..<(letter.offset + 1)]) { found = $0.first }
        guard let found else { return .gone }
        let isSame =
            found.key == stored.key && found.value == stored.value
            && found.headers == stored.headers
            && found.appendedAtMicroseconds / 1_000 == stored.appendedAtMicroseconds / 1_000
        return isSame ? .there : .otherwise
    }

    /// Calls the body while the partition of the letters is this member's alone. A commit of a
    /// member that has lost it changes nothing.
    private func inTurn(
        _ log: any EventLog, _ place: TopicPartition, until deadline: ContinuousClock.Instant,
        _ body: (any GroupMember) async throws -> PutBackOutcome
    ) async throws -> PutBackOutcome {
        let member = try await log.join(group: Self.group, topics: [place.topic])
        do {
            var isMine = false
            while !isMine {
                guard ContinuousClock.now < deadline else {
                    throw EventLogError(
                        .closed, "another is putting records back, or the log hangs")
                }
                if case .assigned(let partitions) = try await member.poll(
                    maximum: 1, wait: .milliseconds(100))
                {
                    isMine = partitions.contains(place)
                }
            }
            let outcome = try await body(member)
            await member.close()
            return outcome
        } catch {
            await member.close()
            throw error
        }
    }

    private func marker(_ letter: DeadLettered, _ consumer: String) -> LogRecord {
        DeadLetterPutBack(
            topic: letter.topic, partition: letter.partition, offset: letter.offset,
            consumer: consumer, at: now
        ).record(source: "/dead-letters")
    }
}
