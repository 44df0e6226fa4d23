import Events
import Retrying
import Wire

/// A way to an operator, such as mail. It sends few messages: alarms that come while it must be
/// quiet, or while the way is blocked, wait for the next message.
struct AlarmChannel: Sendable {
    /// The most alarms that wait. Beyond it the oldest ones are only counted.
    static let mostWaiting = 100
    private static let microsecondsOfHour: Int64 = 3_600_000_000

    private let perHour: Int
    private let send:
        @Sendable (_ entries: [AlarmNotice.Entry], _ leftOut: Int) async throws -> Void
    private var waiting: [AlarmNotice.Entry] = []
    private var leftOut = 0
    private var sentAt: [Timestamp] = []
    private var retry: Retry

    /// - Parameter name: the beginning of the log's lines, such as "Sending alarms by mail".
    init(
        _ name: String, perHour: Int, notices: Notices,
        send:
            @escaping @Sendable (_ entries: [AlarmNotice.Entry], _ leftOut: Int) async throws
            -> Void
    ) {
        self.perHour = perHour
        self.send = send
        retry = Retry(of: name, notices: notices)
    }

    mutating func add(_ entries: [AlarmNotice.Entry]) {
        waiting += entries
        let surplus = max(0, waiting.count - Self.mostWaiting)
        waiting.removeFirst(surplus)
        leftOut += surplus
    }

    /// Sends all that waits in one message, unless the hour's messages are used up.
    mutating func flush(at now: Timestamp) async {
        sentAt.removeAll { now - $0 >= Self.microsecondsOfHour }
        guard !waiting.isEmpty, sentAt.count < perHour else { return }
        do {
            try await send(waiting, leftOut)
            retry.ended()
            sentAt.append(now)
            (waiting, leftOut) = ([], 0)
        } catch {
            retry.failed(error)
        }
    }
}
