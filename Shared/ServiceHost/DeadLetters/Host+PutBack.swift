import EventLog
public import Events
public import LogViews
import ServiceRuntime
import Wire

extension Host {
    /// The result of putting a record back.
    public enum PutBackOutcome: Sendable {
        case putBack
        /// The record was put back before, or was never missing.
        case notMissing
        /// The cause still exists: the record would be set aside again.
        case refused(code: String, detail: String)
        /// The letter does not hold the complete record.
        case notWhole
    }

    /// The consumer group of members that put records back. They work one at a time, so that no
    /// record is put back twice.
    private static let group = "dead-letters"
    /// How long a member waits for its turn.
    private static let patience = Duration.seconds(60)

    /// Puts a record into the view that has set it aside: once, however often this is called.
    public func putBack(
        _ letter: DeadLettered, to view: any View
    ) async throws -> PutBackOutcome {
        guard let record = letter.stored else { return .notWhole }
        let outcome = try await ViewPutBack(view, pool: requiredDatabase()).apply(record)
        switch outcome {
        case .refused(let fault): return .refused(code: fault.code, detail: fault.detail)
        case .notMissing: return .notMissing
        case .putBack:
            // This marker is for readers of the topic; the view itself remembers the record.
            try await log.append([marker(letter, view.name)])
            return .putBack
        }
    }

    /// Appends a record again, for the processor that set it aside. It keeps its id and counts as
    /// late.
    ///
    /// The record and a marker that it was put back are one transaction, so it is put back once,
    /// however often this is called.
    ///
    /// - Parameter box: the letters read so far; only newer ones are read.
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
                // The long read comes before the turn: a member that does not poll for a while
                // loses its partitions.
                let end = try await log.readableEnds(of: topic)[place.partition]
                if try await box.readOn(log, to: [place: end]) {
                    deadline = .now + Self.patience
                }
                return try await inTurn(log, place, until: deadline) { member in
                    let end = try await log.bounds(of: topic)[place.partition].end
                    try await box.readOn(log, to: [place: end])
                    // After a commit with an unknown outcome, the marker shows whether it
                    // succeeded.
                    guard !box.isPutBack(wanted) else { return hasTried ? .putBack : .notMissing }
                    hasTried = true
                    try await member.commit(records, next: [place: end])
                    return .putBack
                }
            } catch let error as EventLogError
                where (error.isRetriable || error.code == .fenced)
                && ContinuousClock.now < deadline
            {
                // The outcome is unknown, or another member took over. The log decides on the next
                // attempt.
                continue
            }
        }
    }

    /// The refusal of a signed record where this process lacks the services' secret. Without it
    /// nobody could prove that the record was in time.
    private func refusal(of record: StoredRecord) -> PutBackOutcome? {
        let isSigned =
            record.headers["signature"] != nil || ScreenedRecords.namesSender(record.headers)
        guard record.topic == Topic.scansInbound.name, isSigned,
            lastingSecret == nil
        else { return nil }
        return .refused(
            code: ProblemCode.secretMissing.text,
            detail: "a signed record is put back with WHEREABOUTS_SERVICE_SECRET, as the services "
                + "have it")
    }

    /// The result of comparing a letter with the log.
    public enum Original: Sendable {
        /// The log holds the record, and the letter agrees with it.
        case there
        /// The log has dropped the record: only the letter still has it.
        case gone
        /// The letter names no record of the log, or has another content. Every service may write
        /// letters.
        case otherwise
    }

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
        if letter.isScreened { return isGenuine(stored, letter) ? .there : .otherwise }
        let isSame =
            found.key == stored.key && found.value == stored.value
            && found.headers == stored.headers
            && found.appendedAtMicroseconds / 1_000 == stored.appendedAtMicroseconds / 1_000
        return isSame ? .there : .otherwise
    }

    /// Whether scan-ingest made this letter without personal data. Where no secret is set, nobody
    /// but this process's own user can write letters, and there is nothing to compare.
    private func isGenuine(_ record: StoredRecord, _ letter: DeadLettered) -> Bool {
        guard lastingSecret != nil else { return true }
        return ScreenedRecords.isGenuine(record, from: letter.id, secret: serviceSecret)
    }

    /// Runs the body while this member owns the partition of the letters. A commit has no effect
    /// after the member has lost it.
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
                        .closed,
                        "somebody else is putting records back, or the log does not answer; "
                            + "try again later"
                    )
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
