import Cryptography
import EventLog
import Events
import HTTPClient
import Postgres
import Retrying
import ServiceHost
import ServiceRuntime
import Site
import Timetables

/// Fetches feeds that are due, and takes over what has changed.
struct FeedFetching: Sendable {
    /// Unchanged answers are read again after this time, since the horizon moves on.
    private static let readAgainMicroseconds: Int64 = 86_400_000_000

    let claims: FeedClaims
    let results: FeedResults
    let sites: SiteDirectory
    let clock: EventClock
    let client: HTTPClient
    let userAgent: String
    let timeoutSeconds: Double
    let concurrent: Int
    let count: @Sendable (FetchOutcome) -> Void

    /// Fetches until the task is cancelled. A slow server takes one place of `concurrent`, and
    /// holds up no other fetch.
    ///
    /// - Parameter bell: rings for each feed that is due before its time, and now and then.
    func run(_ bell: FeedBell, _ notices: Notices) async {
        await attemptUntilDone("Fetching timetables", notices: notices) { retry in
            // The end of an attempt cancels the tasks of its group, and with them their stream.
            let wakes = bell.rings()
            try await withThrowingTaskGroup { group in
                try await run(wakes, in: &group, &retry)
            }
        }
    }

    private enum Step: Sendable {
        case woken
        /// The leases of what runs are to be renewed.
        case tick
        /// With the feed again if it is unchanged, which is not noted yet.
        case fetched(FeedClaims.Key, FeedResults.Unchanged?)
        /// Its answer waits to be read, which takes no place of `concurrent`.
        case large(NewAnswer)
    }

    /// An answer that may have changed.
    private struct NewAnswer: Sendable {
        var answer: FeedAnswer
        var claim: FeedClaims.Claim
        var site: PublishedSite
        var hash: [UInt8]
    }

    /// The feeds that this process holds.
    private struct Held {
        var keys: Set<FeedClaims.Key> = []
        /// Those of them whose large answers are read or wait for it.
        var large: Set<FeedClaims.Key> = []
        /// They are not noted yet, and keep their leases until then.
        var unchanged: [FeedResults.Unchanged] = []

        var fetches: Int { keys.count - large.count }

        mutating func end(_ key: FeedClaims.Key) {
            keys.remove(key)
            large.remove(key)
        }
    }

    private func run(
        _ wakes: AsyncStream<Void>, in group: inout ThrowingTaskGroup<Step, any Error>,
        _ retry: inout Retry
    ) async throws {
        @Sendable func untilWoken() async -> Step {
            for await _ in wakes { break }
            return .woken
        }
        @Sendable func untilRenewal() async -> Step {
            try? await Task.sleep(for: FeedClaims.renewal)
            return .tick
        }
        var held = Held()
        var (isDue, hasMore) = (true, false)
        group.addTask { await untilWoken() }
        group.addTask { await untilRenewal() }
        while !Task.isCancelled {
            if isDue, held.fetches < concurrent {
                try await keep(&held)
                let due = try await claim(held)
                // One whose lease has ended nevertheless runs beside it, and stores nothing.
                for claim in due {
                    held.keys.insert(claim.key)
                    group.addTask { try await fetch(claim) }
                }
                retry.ended()
                (isDue, hasMore) = (false, !due.isEmpty)
            }
            switch try await group.next() {
            case .woken:
                isDue = true
                group.addTask { await untilWoken() }
            case .tick:
                // Without this, the leases of unchanged feeds would end while all places are taken.
                try await keep(&held)
                try await claims.renew(held.keys)
                group.addTask { await untilRenewal() }
            case .fetched(let key, let same):
                held.end(key)
                if let same { held.unchanged.append(same) }
            case .large(let answer):
                if try await waits(answer, &held) {
                    group.addTask { try await read(answer) }
                }
            case nil: return
            }
            // Feeds are claimed many at a time, since each claim is a question to PostgreSQL.
            if hasMore, held.fetches <= concurrent / 2 { isDue = true }
        }
    }

    private func keep(_ held: inout Held) async throws {
        for outcome in try await results.keep(held.unchanged) { count(outcome) }
        held.unchanged = []
    }

    /// Whether a large answer may wait until it is read. Otherwise its feed is fetched again later,
    /// since those that wait take memory.
    private func waits(_ answer: NewAnswer, _ held: inout Held) async throws -> Bool {
        let claim = answer.claim
        guard held.large.count < AnswerReading.mostLarge else {
            try await results.postpone(claim, now: clock.now)
            held.end(claim.key)
            return false
        }
        held.large.insert(claim.key)
        return true
    }

    private func claim(_ held: Held) async throws -> [FeedClaims.Claim] {
        guard sites.isReady else { return [] }
        return try await claims.claim(
            atMost: concurrent - held.fetches, beside: held.keys, now: clock.now)
    }

    private func fetch(_ claim: FeedClaims.Claim) async throws -> Step {
        guard let site = sites[whole: claim.feed.site] else {
            // The site is removed, or not published again yet.
            try await results.postpone(claim, now: clock.now)
            return .fetched(claim.key, nil)
        }
        return try await noting(claim) {
            guard !claim.feed.address.isEmpty else {
                throw FeedFault("its address was sealed with another secret: set it again")
            }
            let isKnown = isKnown(claim, site)
            let answer = try await FeedAnswer.fetch(
                claim.feed, with: client, headers: headers(claim, isConditional: isKnown),
                timeoutSeconds: timeoutSeconds)
            // Only a server that is asked too much speaks for all feeds on it.
            if [429, 503].contains(answer.status),
                let until = FeedSchedule.hostPause(
                    after: clock.now, retryAfterSeconds: answer.retryAfterSeconds)
            {
                try await claims.pause(claim.host, until: until)
            }
            return try await handle(answer, claim, site, isKnown: isKnown)
        }
    }

    private func read(_ new: NewAnswer) async throws -> Step {
        try await noting(new.claim) {
            try await store(new)
            return .fetched(new.claim.key, nil)
        }
    }

    /// Notes a failure of the work that is about one feed alone. After another one, the feed is
    /// tried again later, since it may be the cause and would be claimed first again.
    private func noting(
        _ claim: FeedClaims.Claim, _ work: () async throws -> Step
    ) async throws -> Step {
        let ended = Step.fetched(claim.key, nil)
        do {
            return try await work()
        } catch let error as HTTPClientError {
            // The service stops, which says nothing about the feed.
            guard !Task.isCancelled else { return ended }
            try await end(claim, .failed, Self.words(error))
        } catch let fault as FeedFault {
            try await end(claim, .unreadable, fault.reason, path: fault.path)
        } catch  where FaultCause(error) == .record {
            // One feed that can't be stored holds up no other.
            try await end(claim, .unreadable, "its bookings can't be stored: \(error)")
        } catch  where !Task.isCancelled && Self.isOfOneFeed(error) {
            // It may come again at each fetch, and would hold up all others.
            try await end(claim, .failed, "its bookings can't be stored: \(error)")
        } catch {
            if !Task.isCancelled { try? await results.postpone(claim, now: clock.now) }
            throw error
        }
        return ended
    }

    /// Whether an error may be about one feed alone, such as a time limit that a large one exceeds.
    /// If PostgreSQL takes nothing, the report can't be stored either, and that is an error of all.
    private static func isOfOneFeed(_ error: any Error) -> Bool {
        guard let error = error as? PostgresError else { return FaultCause(error) == .ours }
        // Between two statements, a large feed takes long, too. That ends its connection.
        if error.sqlState == "25P03" { return true }
        return !error.isConnectionLost && !error.isPoolExhausted
    }

    private func handle(
        _ answer: FeedAnswer, _ claim: FeedClaims.Claim, _ site: PublishedSite, isKnown: Bool
    ) async throws -> Step {
        if answer.status == 304, isKnown { return unchanged(claim) }
        guard (200..<300).contains(answer.status) else {
            try await end(
                claim, .failed, "the server answers \(answer.status)",
                retryAfterSeconds: answer.retryAfterSeconds)
            return .fetched(claim.key, nil)
        }
        let hash = sha256(answer.body)
        if hash == claim.hash, isKnown { return unchanged(claim) }
        let new = NewAnswer(answer: answer, claim: claim, site: site, hash: hash)
        if AnswerReading.isLarge(ofBytes: answer.body.count) { return .large(new) }
        try await store(new)
        return .fetched(claim.key, nil)
    }

    private func unchanged(_ claim: FeedClaims.Claim) -> Step {
        .fetched(claim.key, FeedResults.Unchanged(claim: claim, at: clock.now))
    }

    /// Reads an answer, and takes over what has changed.
    private func store(_ new: NewAnswer) async throws {
        let (answer, site, feed) = (new.answer, new.site, new.claim.feed)
        let (now, known) = (clock.now, results.known)
        let read = try await AnswerReading.run(
            ofBytes: answer.body.count
        ) { () -> Result<MatchedFeed, FeedFault> in
            let document = site.index.document
            do throws(FeedFault) {
                let parts = try FeedReading.parts(
                    of: feed, answer, horizon: TimetableHorizon(around: now),
                    zone: feed.zone(in: document))
                return .success(
                    try MatchedFeed(
                        parts, of: feed, in: document, names: known.names(site, feed), at: now))
            } catch {
                return .failure(error)
            }
        }
        let outcome = try await results.store(
            try read.get(), new.claim, siteVersion: site.version,
            FeedResults.Marks(
                entityTag: answer.entityTag, modified: answer.modified, hash: new.hash),
            now: clock.now)
        count(outcome)
    }

    private static func words(_ error: HTTPClientError) -> String {
        guard error.code == "address-refused" else { return error.description }
        return "\(error): \(TimetableFetcherSettings.networks.name) permits private networks"
    }

    /// Whether what is known of the feed still holds if its answer is the same.
    private func isKnown(_ claim: FeedClaims.Claim, _ site: PublishedSite) -> Bool {
        guard let parsedAt = claim.parsedAt, claim.hash != nil, !claim.wasEmpty else {
            return false
        }
        // It was not read in the future: the clock was ahead then.
        return claim.siteVersion == site.version
            && (0..<Self.readAgainMicroseconds).contains(clock.now - parsedAt)
    }

    private func headers(
        _ claim: FeedClaims.Claim, isConditional: Bool
    ) -> [(name: String, value: String)] {
        var headers = [(name: "user-agent", value: userAgent)]
        guard isConditional else { return headers }
        if let tag = claim.entityTag { headers.append(("if-none-match", tag)) }
        if let date = claim.modified { headers.append(("if-modified-since", date)) }
        return headers
    }

    private func end(
        _ claim: FeedClaims.Claim, _ outcome: FetchOutcome, _ fault: String?,
        path: String? = nil, retryAfterSeconds: Int? = nil
    ) async throws {
        let noted = try await results.end(
            claim, outcome, fault.map { FeedFault($0, path: path) },
            retryAfterSeconds: retryAfterSeconds, now: clock.now)
        count(noted)
    }
}
