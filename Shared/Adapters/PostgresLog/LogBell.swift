import EventLog
import Postgres
import Synchronization

/// Wakes tasks that wait for records or for changes of their group. In this process it wakes them
/// at once. Other processes get one coalesced notification after the commit.
final class LogBell: Sendable {
    private struct State {
        var listeners: [PartitionKey: [ObjectIdentifier: WakeSignal]] = [:]
        var groups: [String: [ObjectIdentifier: WakeSignal]] = [:]
        var toNotify: Set<PartitionKey> = []
        /// All partitions to which this process has appended.
        var appended: Set<PartitionKey> = []
        /// The time from which on notifications of all appends come. Nil without a connection.
        var reliableFrom: ContinuousClock.Instant?
        var everything: [ObjectIdentifier: WakeSignal] = [:]
        var isClosed = false
    }
    private let state = Mutex(State())
    let tail = LogTail()
    private let database: PostgresConfiguration
    private let settling: Duration
    private let postgres = Mutex<PostgresListener?>(nil)
    static let channel = "whereabouts_log"

    init(_ settings: PostgresLogSettings) {
        database = settings.database
        settling = settings.settling
    }

    /// Whether each append of another process is notified. Only the last ones of a process that
    /// was killed may be missing.
    var isReliable: Bool { state.withLock { $0.reliableFrom.map { $0 <= .now } ?? false } }

    /// The number of signals that are registered.
    var audience: Int {
        state.withLock { state in
            Set(state.everything.keys).union(state.groups.values.flatMap(\.keys))
                .union(state.listeners.values.flatMap(\.keys)).count
        }
    }

    /// Connects to the database's notifications. Without them the bell rings in this process only.
    func start() {
        postgres.withLock { listener in
            guard listener == nil else { return }
            listener = PostgresListener(
                database, channels: [Self.channel],
                collect: { [weak self] in self?.collect() ?? [] },
                receive: { [weak self] in self?.receive($0) })
        }
    }

    func close() {
        postgres.withLock { $0?.close() }
        wakeAll()
    }

    func subscribe(_ signal: WakeSignal, to partitions: some Sequence<PartitionKey>) {
        let id = ObjectIdentifier(signal)
        state.withLock { state in
            state.everything[id] = signal
            for partition in partitions { state.listeners[partition, default: [:]][id] = signal }
        }
    }

    func subscribe(_ signal: WakeSignal, toGroup group: String) {
        let id = ObjectIdentifier(signal)
        state.withLock { state in
            state.everything[id] = signal
            state.groups[group, default: [:]][id] = signal
        }
    }

    func unsubscribe(_ signal: WakeSignal, from partitions: some Sequence<PartitionKey>) {
        let id = ObjectIdentifier(signal)
        state.withLock { state in
            for partition in partitions {
                state.listeners[partition]?[id] = nil
                if state.listeners[partition]?.isEmpty == true { state.listeners[partition] = nil }
            }
        }
    }

    /// Unregisters the signal.
    func forget(_ signal: WakeSignal, partitions: some Sequence<PartitionKey>, group: String?) {
        unsubscribe(signal, from: partitions)
        let id = ObjectIdentifier(signal)
        state.withLock { state in
            state.everything[id] = nil
            guard let group else { return }
            state.groups[group]?[id] = nil
            if state.groups[group]?.isEmpty == true { state.groups[group] = nil }
        }
    }

    /// Wakes the readers of these appends, which this process has committed. `results` are the rows
    /// that they returned.
    func ring(_ appends: AppendStatements, _ results: [PostgresRows]) {
        let partitions = appends.partitions
        let followed = state.withLock { state in
            partitions.filter { state.listeners[$0] != nil }
        }
        let stored = try? appends.stored(results, in: followed)
        for (partition, records) in stored ?? [:] { tail.add(records, to: partition) }
        for signal in listeners(of: partitions) {
            // Without readable rows the tail has a gap, so readers ask the database.
            if stored == nil { signal.wakeForOthers(Set(partitions)) } else { signal.wake() }
        }
        notifyOthers(of: partitions)
    }

    /// Wakes the readers of appends that may have been committed, though no answer came. The commit
    /// may follow in a moment: readers ask often for a while, and other processes hear of it again.
    func doubt(_ appends: AppendStatements) {
        let partitions = appends.partitions
        state.withLock { state in
            state.reliableFrom = state.reliableFrom.map { max($0, ContinuousClock.now + settling) }
        }
        for signal in listeners(of: partitions) { signal.wakeForOthers(Set(partitions)) }
        notifyOthers(of: partitions)
        Task { [weak self, settling] in
            try? await Task.sleep(for: settling)
            self?.notifyOthers(of: partitions)
        }
    }

    private func notifyOthers(of partitions: [PartitionKey]) {
        state.withLock { state in
            state.toNotify.formUnion(partitions)
            state.appended.formUnion(partitions)
        }
        postgres.withLock { $0 }?.notifySoon()
    }

    /// Repeats the notifications of this process before it ends, because its listener may not have
    /// sent the last ones yet. Gives up after a second.
    func repeatNotifications(through pool: PostgresPool) async {
        let partitions = state.withLock { $0.appended }
        guard !partitions.isEmpty else { return }
        let done = WakeSignal()
        Task {
            _ = try? await pool.query(
                "SELECT pg_notify($1, $2)",
                [.text(Self.channel), .text(Self.payload(of: partitions))])
            done.wake()
        }
        await done.wait(for: .seconds(1))
    }

    func wakeGroup(_ group: String) {
        for signal in state.withLock({ $0.groups[group].map { Array($0.values) } ?? [] }) {
            signal.wakeForGroup()
        }
    }

    private func listeners(of partitions: some Sequence<PartitionKey>) -> [WakeSignal] {
        state.withLock { state in
            var signals: [ObjectIdentifier: WakeSignal] = [:]
            for partition in partitions {
                if let listeners = state.listeners[partition] {
                    signals.merge(listeners) { first, _ in first }
                }
            }
            return Array(signals.values)
        }
    }

    private func wakeAll() {
        for signal in state.withLock({ Array($0.everything.values) }) { signal.wakeForGroup() }
    }

    /// A payload has fewer than 8000 bytes; when the partitions do not fit, it wakes everybody.
    private static func payload(of partitions: Set<PartitionKey>) -> String {
        let list = partitions.map { "\($0.topic):\($0.partition)" }.joined(separator: ",")
        return list.utf8.count < 7_900 ? "p \(list)" : "*"
    }

    /// The notification for all waiting partitions.
    private func collect() -> [PostgresListener.Notification] {
        let partitions = state.withLock { state in
            defer { state.toNotify.removeAll(keepingCapacity: true) }
            return state.toNotify
        }
        guard !partitions.isEmpty else { return [] }
        return [
            PostgresListener.Notification(
                channel: Self.channel, payload: Self.payload(of: partitions))
        ]
    }

    private func receive(_ event: PostgresListener.Event) {
        switch event {
        case .connected:
            state.withLock { state in
                state.reliableFrom = .now + settling
                // The connection before may have lost notifications of these.
                state.toNotify.formUnion(state.appended)
            }
            postgres.withLock { $0 }?.notifySoon()
            // The database may be an earlier one, with other records at these offsets.
            tail.forget()
            wakeAll()
        case .disconnected:
            let wasConnected = state.withLock { state in
                defer { state.reliableFrom = nil }
                return state.reliableFrom != nil
            }
            // Readers ask at once, so they notice soon when the database is away.
            if wasConnected { wakeAll() }
        case .notification(_, let payload, let isOwn):
            // This process has already woken the readers of its own appends.
            if isOwn { return }
            if payload.hasPrefix("g ") {
                wakeGroup(String(payload.dropFirst(2)))
            } else if payload.hasPrefix("p ") {
                let partitions = Set(
                    payload.dropFirst(2).split(separator: ",").compactMap(Self.partition))
                for signal in listeners(of: partitions) { signal.wakeForOthers(partitions) }
            } else {
                wakeAll()
            }
        }
    }

    private static func partition(_ text: Substring) -> PartitionKey? {
        let numbers = text.split(separator: ":").compactMap { Int32($0) }
        return numbers.count == 2 ? PartitionKey(topic: numbers[0], partition: numbers[1]) : nil
    }
}
