import EventLog
public import Events
public import LogViews
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

    /// Appends the record once more where a processor reads it, with the same id and as one that is late,
    /// in one transaction with the note that it was: once, however often it is asked for.
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
        let records = [PutBack.again(record, secret: serviceSecret), marker(letter, consumer)]
        let topic = Topic.deadLetters.name
        let place = TopicPartition(
            topic,
            partition(forKey: letter.recordKey, of: try await log.partitionCount(of: topic)))
        let wanted = LetterBox.Place(id: letter.id, consumer: consumer)
        var deadline = ContinuousClock.now + Self.patience
        while true {
            do {
                // What takes long is read before its turn: a member that does not poll meanwhile loses
                // its partitions.
                let end = try await log.readableEnds(of: topic)[place.partition]
                if try await box.readOn(log, to: [place: end]) {
                    deadline = .now + Self.patience
                }
                return try await inTurn(log, place, until: deadline) { member in
                    let end = try await log.bounds(of: topic)[place.partition].end
                    try await box.readOn(log, to: [place: end])
                    guard !box.isPutBack(wanted) else { return .notMissing }
                    try await member.commit(records, next: [place: end])
                    return .putBack
                }
            } catch let error as EventLogError
                where FaultCause(error) == .world && ContinuousClock.now < deadline
            {
                // It is not known, or another has taken over: what the log says then is right.
                continue
            }
        }
    }

    /// Calls the body while the partition of the letters is this member's alone. A commit of a member that
    /// has lost it changes nothing.
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
