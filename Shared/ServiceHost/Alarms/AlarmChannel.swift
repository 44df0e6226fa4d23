import Events
import Retrying
import ServiceRuntime
import Wire

/// The content of a message to an operator.
struct AlarmNews: Sendable {
    /// Alarms that have begun or ended.
    var entries: [AlarmNotice.Entry]
    /// Those that stand besides: they began earlier, and have not ended.
    var standing: [AlarmNotice.Entry] = []
    /// Alarms that were too many to be kept.
    var leftOut = 0
}

/// A way to an operator, such as mail. It sends few messages: alarms that come while it must be
/// quiet, or while the way is blocked, wait for the next message.
struct AlarmChannel: Sendable {
    /// The most alarms that wait. Beyond it the oldest ones are only counted, warnings first.
    static let mostWaiting = 100
    private static let microsecondsOfHour: Int64 = 3_600_000_000

    /// An alarm, whether it begins or ends.
    private struct Key: Hashable, Sendable {
        var alarm: String
        var labels: [String: String]

        init(_ entry: AlarmNotice.Entry) { (alarm, labels) = (entry.alarm, entry.labels) }
    }

    private let perHour: Int
    private let works: Gauge?
    private let send: @Sendable (AlarmNews) async throws -> Void
    private var waiting: [AlarmNotice.Entry] = []
    private var leftOut = 0
    private var sentAt: [Timestamp] = []
    /// The last failure, and the pause after it. A server that fails may have passed the message
    /// on, so in the long run it gets no more attempts than messages are permitted.
    private var failed: (at: Timestamp, pause: Duration)?
    private var pause: GrowingPause
    /// Alarms whose beginning was sent, and whose end was not.
    private var told: Set<Key> = []
    private var retry: Retry

    /// - Parameters:
    ///   - name: the beginning of the log's lines, such as "Sending alarms by mail".
    ///   - round: the pause after a first failure. Later ones grow.
    ///   - works: gets 0 while nothing can be sent.
    init(
        _ name: String, perHour: Int, round: Duration, notices: Notices, works: Gauge? = nil,
        send: @escaping @Sendable (AlarmNews) async throws -> Void
    ) {
        self.perHour = perHour
        self.works = works
        self.send = send
        retry = Retry(of: name, notices: notices)
        pause = GrowingPause(from: round, to: max(round, Duration.seconds(3_600) / max(1, perHour)))
        works?.set(1)
    }

    /// Messages of an hour that are kept for what is wrong, so that it never waits for warnings.
    private var reserved: Int { perHour / 3 }

    mutating func add(_ entries: [AlarmNotice.Entry]) {
        waiting += entries
        while waiting.count > Self.mostWaiting {
            waiting.remove(at: waiting.firstIndex { !$0.isUrgent } ?? 0)
            leftOut += 1
        }
    }

    /// Sends all that waits in one message, unless the hour's messages are used up.
    ///
    /// - Parameter standing: all alarms that stand now. One whose beginning was left out is sent
    ///   again.
    mutating func flush(at now: Timestamp, standing: [AlarmNotice.Entry] = []) async {
        // Times that lie ahead are from before the clock was set back.
        sentAt = sentAt.map { min($0, now) }.filter { now - $0 < Self.microsecondsOfHour }
        failed = failed.map { (at: min($0.at, now), pause: $0.pause) }
        let known = told.union(waiting.map(Key.init))
        waiting += standing.filter { !known.contains(Key($0)) }
            .prefix(max(0, Self.mostWaiting - waiting.count))
        let limit = waiting.contains(where: \.isUrgent) ? perHour : perHour - reserved
        guard !waiting.isEmpty, sentAt.count < limit, !isPausing(at: now) else { return }
        let told = Set(waiting.map(Key.init))
        let news = AlarmNews(
            entries: waiting, standing: standing.filter { !told.contains(Key($0)) },
            leftOut: leftOut)
        do {
            try await send(news)
            retry.ended()
            works?.set(1)
            pause.reset()
            failed = nil
            sentAt.append(now)
            for entry in waiting {
                let key = Key(entry)
                if entry.hasEnded { self.told.remove(key) } else { self.told.insert(key) }
            }
            (waiting, leftOut) = ([], 0)
        } catch {
            works?.set(0)
            retry.failed(error)
            failed = (at: now, pause: pause.next())
        }
    }

    private func isPausing(at now: Timestamp) -> Bool {
        failed.map { now - $0.at < $0.pause.components.seconds * 1_000_000 } ?? false
    }
}

extension AlarmNotice.Entry {
    /// Whether it tells that something is wrong now.
    fileprivate var isUrgent: Bool {
        !hasEnded && severity == AlarmRule.Severity.wrong.rawValue
    }
}
