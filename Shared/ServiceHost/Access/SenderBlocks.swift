import EventLog
public import Events
import JSON
import Retrying
public import ServiceRuntime
import Synchronization
import Wire

/// Blocks tokens of which too many records were set aside within an hour. Such records are of no
/// use to anybody, and each costs the log twice.
///
/// A block is computed from the last hour of `dead-letters` alone. So every process computes the
/// same blocks, a restart forgets none, and each ends by itself.
public final class SenderBlocks: Sendable {
    /// Records of one sender that may be set aside within the span without a block.
    public static let limit = 100
    public static let spanSeconds: Int64 = 3_600
    /// Codes that do not count. The first would make a block last for ever. The second would block
    /// a sender that catches up after an outage.
    static let uncounted = Set([ProblemCode.senderBlocked, .quotaExceeded].map(\.text))
    /// The most senders that are remembered. They have tokens, since letters of strangers are not
    /// counted.
    private static let senderLimit = 100_000
    /// The most letters that are remembered, of all senders together: about 32 MB.
    static let letterLimit = 1_000_000
    /// The shortest time between two searches for letters that can be forgotten.
    private static let sweepMicroseconds: Int64 = 10_000_000

    private struct Letters {
        /// The newest records: the hash of each id, with the time at which it was set aside.
        var times: [Int: Timestamp] = [:]
        var isReported = false
    }

    private struct State {
        var senders: [String: Letters] = [:]
        /// The number of letters of all senders.
        var held = 0
        var sweptAt = Timestamp(microseconds: 0)

        var isFull: Bool {
            senders.count >= SenderBlocks.senderLimit || held >= SenderBlocks.letterLimit
        }

        mutating func sweep(at now: Timestamp) {
            guard now.microseconds - sweptAt.microseconds > SenderBlocks.sweepMicroseconds else {
                return
            }
            senders = senders.filter { SenderBlocks.end($0.value, at: now) != nil }
            held = senders.values.reduce(0) { $0 + $1.times.count }
            sweptAt = now
        }
    }

    private let state = Mutex(State())

    public init() {}

    /// The end of the token's block; nil when it is not blocked.
    public func blockedUntil(_ token: String, at now: Timestamp) -> Timestamp? {
        state.withLock { state in
            guard let letters = state.senders[token] else { return nil }
            return Self.end(letters, at: now)
        }
    }

    var held: Int { state.withLock { $0.held } }

    public func count(at now: Timestamp) -> Int {
        state.withLock { $0.senders.values.count { Self.end($0, at: now) != nil } }
    }

    /// Notes that a record was set aside. The same id counts once, however often it comes.
    ///
    /// - Returns: the end of the block, if this letter begins one.
    func note(_ id: String, of sender: String, at time: Timestamp, now: Timestamp) -> Timestamp? {
        state.withLock { state in
            if state.isFull { state.sweep(at: now) }
            guard !state.isFull else { return nil }
            var letters = state.senders[sender] ?? Letters()
            let before = letters.times.count
            letters.times[id.hashValue] = time
            if letters.times.count > Self.limit * 2 {
                let newest = letters.times.sorted { $0.value > $1.value }.prefix(Self.limit + 1)
                letters.times = Dictionary(uniqueKeysWithValues: Array(newest))
            }
            let end = Self.end(letters, at: now)
            let isNews = end != nil && !letters.isReported
            letters.isReported = end != nil
            state.held += letters.times.count - before
            state.senders[sender] = letters
            return isNews ? end : nil
        }
    }

    /// The end of the block: one hour after the oldest of the newest 101 letters.
    private static func end(_ letters: Letters, at now: Timestamp) -> Timestamp? {
        guard letters.times.count > limit else { return nil }
        let newest = letters.times.values.sorted(by: >)
        let end = Timestamp(microseconds: newest[limit].microseconds + spanSeconds * 1_000_000)
        return end > now ? end : nil
    }
}

extension Host {
    /// Topics with records in the form in which a sender made them.
    private static let sentTopics = Set(
        [Topic.scansInbound, .scans, .surveys, .surveyRecords, .taps].map(\.name))

    /// Reads the dead letters of the last hour, then new ones. Services need it that refuse or show
    /// blocked tokens.
    public func senderWatch() -> any Component {
        context.metrics.gaugeReading(
            "whereabouts_blocked_senders",
            help: "Tokens of which more than 100 records were set aside within an hour."
        ) { [blocks = senderBlocks, context] in
            Double(blocks.count(at: Timestamp(microseconds: context.time.nowMicroseconds)))
        }
        return loop("dead letters") { [self] in
            await untilDone("Reading dead letters") { retry in
                try await followDeadLetters(&retry)
            }
        }
    }

    private func followDeadLetters(_ retry: inout Retry) async throws {
        let topic = Topic.deadLetters.name
        let since = now.microseconds - SenderBlocks.spanSeconds * 1_000_000
        let offsets = try await log.offsets(of: topic, atMicroseconds: since)
        let reader = try await log.reader(
            from: Dictionary(
                uniqueKeysWithValues: offsets.enumerated().map {
                    (TopicPartition(topic, $0.offset), $0.element)
                }))
        do {
            while !Task.isCancelled {
                let records = try await reader.next(maximum: 1_000, wait: .seconds(1))
                retry.ended()
                for record in records { apply(record) }
            }
        } catch {
            await reader.close()
            throw error
        }
        await reader.close()
    }

    private func apply(_ record: StoredRecord) {
        guard let letter = try? DeadLettered(record: record),
            !SenderBlocks.uncounted.contains(letter.code),
            Self.sentTopics.contains(letter.topic), let headers = letter.headers,
            let encoded = LogHeaders(encoded: headers)
        else { return }
        let sender = sender(
            of: StoredRecord(
                topic: letter.topic, partition: letter.partition, offset: letter.offset,
                appendedAtMicroseconds: letter.appendedAt?.microseconds ?? 0, key: letter.key,
                value: letter.value, headers: encoded))
        guard sender != .unknown,
            let end = senderBlocks.note(letter.id, of: sender.name, at: letter.at, now: now)
        else { return }
        context.log.warning(
            "a token is blocked: more than 100 of its records were set aside within an hour",
            [
                "token": .text(sender.name), "site": .text(sender.site ?? ""),
                "until": .text(RFC3339.text(microseconds: end.microseconds)),
                "last": .text(letter.code),
            ])
    }
}
