import EventLog
import Events
import HTTP
import Retrying
import ServiceHost
import ServiceRuntime
import Synchronization
import Wire

/// The one reader of `positions` in a process. It reads each record once, and passes it to the
/// streams of its device and of its site.
///
/// The last records are kept, so that a client that soon comes back needs no reader of its own.
final class StreamHub: Sendable {
    struct Limits: Sendable {
        /// The most streams: of all clients, and of one token.
        var streams: Int
        var streamsOfToken: Int
        /// The most records and bytes that are kept for clients that come back.
        var recentRecords = 4_096
        var recentBytes = 8_388_608
    }

    /// Seconds between two comments to a quiet stream.
    private static let keepAliveSeconds = 15

    private struct State {
        /// The offsets that the hub has read up to; nil until it has started.
        var vector: StreamVector?
        /// The number of positions read so far.
        var number = 0
        var recent: [StreamedEvent] = []
        /// The index of the first kept record in `recent`.
        var first = 0
        var recentBytes = 0
        /// All records from these offsets on are in `recent`.
        var recentStart = StreamVector([])
        var bySite: [String: [ObjectIdentifier: StreamSubscription]] = [:]
        var byDevice: [String: [ObjectIdentifier: StreamSubscription]] = [:]
        var all: [ObjectIdentifier: StreamSubscription] = [:]
        var byToken: [String: Int] = [:]
        var second = 0

        func subscribers(of position: StreamedEvent) -> [StreamSubscription] {
            var found: [StreamSubscription] = []
            if !byDevice.isEmpty, let some = byDevice[position.key] { found += some.values }
            if !bySite.isEmpty, let some = bySite[String(position.site)] { found += some.values }
            return found
        }
    }

    let log: any EventLog
    let erased: ErasureDirectory
    private let notices: Notices
    private let limits: Limits
    private let state = Mutex(State())

    init(
        log: any EventLog, erased: ErasureDirectory = ErasureDirectory(ErasedDevices()),
        notices: Notices, limits: Limits
    ) {
        self.log = log
        self.erased = erased
        self.notices = notices
        self.limits = limits
    }

    // MARK: Reading

    func run() async {
        await attemptUntilDone("Reading \(Topic.positions.name) for streams", notices: notices) {
            retry in
            try await self.follow(&retry)
        }
    }

    private func follow(_ retry: inout Retry) async throws {
        let known = state.withLock { $0.vector }
        let start: StreamVector
        if let known {
            start = known
        } else {
            start = StreamVector(try await log.bounds(of: Topic.positions.name).map(\.end))
        }
        let reader = try await log.reader(from: start.starts)
        state.withLock { state in
            guard state.vector == nil else { return }
            state.vector = start
            state.recentStart = start
        }
        do {
            while !Task.isCancelled {
                let records = try await reader.next(maximum: 1_000, wait: .seconds(1))
                retry.ended()
                deliver(records)
            }
        } catch {
            await reader.close()
            // Records that the log no longer has can't be sent. Clients come back and start at the
            // records that are left.
            if error.code == .offsetOutOfRange { forgetAll() }
            throw error
        }
        await reader.close()
    }

    /// Passes on each record once, however many streams there are.
    func deliver(_ records: [StoredRecord]) {
        guard !records.isEmpty else { return }
        let deliveries = state.withLock { state -> [(StreamedEvent, [StreamSubscription])] in
            guard var vector = state.vector else { return [] }
            var deliveries: [(StreamedEvent, [StreamSubscription])] = []
            for record in records {
                vector.pass(record.partition, record.offset + 1)
                guard vector.offsets.indices.contains(record.partition),
                    let position = StreamedEvent(
                        record, number: state.number + 1, vector: vector)
                else { continue }
                state.number += 1
                remember(position, &state)
                let subscribers = state.subscribers(of: position)
                if !subscribers.isEmpty { deliveries.append((position, subscribers)) }
            }
            state.vector = vector
            return deliveries
        }
        var behind: [StreamSubscription] = []
        for (position, subscribers) in deliveries {
            let event = position.event()
            for subscriber in subscribers where !subscriber.offer(position, event) {
                behind.append(subscriber)
            }
        }
        if !behind.isEmpty {
            // A stream may have caught up in the meantime; it stays listed.
            state.withLock { state in
                for one in behind where one.isBehind { Self.unlist(one, &state) }
            }
        }
    }

    private func remember(_ position: StreamedEvent, _ state: inout State) {
        state.recent.append(position)
        state.recentBytes += position.record.byteCount
        while state.recent.count - state.first > limits.recentRecords
            || state.recentBytes > limits.recentBytes
        {
            let oldest = state.recent[state.first]
            state.recentBytes -= oldest.record.byteCount
            state.recentStart.pass(oldest.partition, oldest.offset + 1)
            state.first += 1
        }
        // Removed records are cleared from the array from time to time, so that it does not grow.
        if state.first >= 64 {
            state.recent.removeFirst(state.first)
            state.first = 0
        }
    }

    private func forgetAll() {
        let all = state.withLock { state in
            state.vector = nil
            state.recent = []
            state.first = 0
            state.recentBytes = 0
            return Array(state.all.values)
        }
        for subscription in all { subscription.end() }
    }

    // MARK: Streams

    /// The offsets that the hub has read up to.
    /// - Throws: `starting` until it has started and knows who was erased. Every stream begins
    ///   here, so none shows an erased device.
    func position() throws(Problem) -> StreamVector {
        guard erased.isReady, let vector = state.withLock({ $0.vector }) else {
            throw Problem.starting
        }
        return vector
    }

    /// Shows the number of streams as metrics.
    func show(in metrics: MetricsRegistry) {
        let open = { @Sendable [weak self] in Double(self?.state.withLock { $0.all.count } ?? 0) }
        metrics.gaugeReading(
            "whereabouts_streams", help: "Clients that follow positions now.", read: open)
        metrics.gaugeReading(
            "whereabouts_streams_ratio", help: "The part of the permitted streams that is open."
        ) { [most = limits.streams] in open() / Double(most) }
    }

    /// - Throws: a `Problem` when the limit of streams is reached.
    func enter(_ topic: StreamTopic, token: String) throws(Problem) -> StreamSubscription {
        let subscription = StreamSubscription(topic, token: token)
        let problem = state.withLock { state -> Problem? in
            if state.all.count >= limits.streams { return .tooManyStreams(limits.streams) }
            if state.byToken[token, default: 0] >= limits.streamsOfToken {
                return .tooManyStreamsOfToken(limits.streamsOfToken)
            }
            state.byToken[token, default: 0] += 1
            state.all[ObjectIdentifier(subscription)] = subscription
            return nil
        }
        if let problem { throw problem }
        return subscription
    }

    func leave(_ subscription: StreamSubscription) {
        subscription.end()
        state.withLock { state in
            guard state.all.removeValue(forKey: ObjectIdentifier(subscription)) != nil else {
                return
            }
            Self.unlist(subscription, &state)
            let left = (state.byToken[subscription.token] ?? 1) - 1
            state.byToken[subscription.token] = left > 0 ? left : nil
        }
    }

    /// Continues with the hub's records, if it has kept all that came after the vector. Otherwise
    /// the result is false, and the missing records must be read from the log first.
    func join(_ subscription: StreamSubscription, from vector: StreamVector) -> Bool {
        state.withLock { state in
            guard state.vector != nil, vector.offsets.count == state.recentStart.offsets.count,
                vector.reaches(state.recentStart)
            else { return false }
            subscription.begin(
                from: vector, seen: state.number,
                state.recent[state.first...].lazy.filter {
                    subscription.topic.wants($0.key) && !self.erased.covers($0.record)
                })
            let id = ObjectIdentifier(subscription)
            guard state.all[id] != nil else { return true }
            if let key = subscription.topic.deviceKey {
                state.byDevice[key, default: [:]][id] = subscription
            } else {
                state.bySite[subscription.topic.site, default: [:]][id] = subscription
            }
            return true
        }
    }

    private static func unlist(_ subscription: StreamSubscription, _ state: inout State) {
        let id = ObjectIdentifier(subscription)
        if let key = subscription.topic.deviceKey {
            state.byDevice[key]?[id] = nil
            if state.byDevice[key]?.isEmpty == true { state.byDevice[key] = nil }
        } else {
            state.bySite[subscription.topic.site]?[id] = nil
            if state.bySite[subscription.topic.site]?.isEmpty == true {
                state.bySite[subscription.topic.site] = nil
            }
        }
    }

    // MARK: Each second

    /// Keeps quiet streams alive, a part of them each second.
    func beat() async throws {
        while true {
            try await Task.sleep(for: .seconds(1))
            tick()
        }
    }

    func tick() {
        let (all, second) = state.withLock { state in
            state.second += 1
            return (Array(state.all.values), state.second)
        }
        for (number, subscription) in all.enumerated() {
            subscription.passSecond()
            if (number + second) % Self.keepAliveSeconds == 0 { subscription.keepAlive() }
        }
    }

    var count: Int { state.withLock { $0.all.count } }
}

extension StreamVector {
    var starts: [TopicPartition: Int64] {
        Dictionary(
            uniqueKeysWithValues: offsets.enumerated().map {
                (TopicPartition(Topic.positions.name, $0.offset), $0.element)
            })
    }
}

extension Problem {
    fileprivate static func tooManyStreams(_ limit: Int) -> Problem {
        Problem(
            .tooManyStreams, "\(limit) clients follow positions already; try later.",
            retryAfterSeconds: 10)
    }

    fileprivate static func tooManyStreamsOfToken(_ limit: Int) -> Problem {
        Problem(
            .tooManyStreamsOfToken,
            "This token follows positions \(limit) times already; end some of these streams.",
            retryAfterSeconds: 10)
    }
}
