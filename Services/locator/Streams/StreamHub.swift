import EventLog
import Events
import HTTP
import Retrying
import ServiceHost
import ServiceRuntime
import Synchronization
import Wire

/// The one reader of a topic in a process. It reads each record once, and passes it to the
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
        /// The number of events read so far.
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
        var second = 0

        func subscribers(of streamed: StreamedEvent) -> [StreamSubscription] {
            var found: [StreamSubscription] = []
            if !byDevice.isEmpty, let some = byDevice[streamed.key] { found += some.values }
            if !bySite.isEmpty, let some = bySite[String(streamed.site)] { found += some.values }
            return found
        }
    }

    let source: StreamSource
    let log: any EventLog
    let erased: ErasureDirectory
    private let notices: Notices
    private let limits: Limits
    private let places: StreamPlaces
    private let state = Mutex(State())

    /// - Parameter places: counts the streams of several hubs together; nil for this hub alone.
    init(
        _ source: StreamSource = .positions, log: any EventLog,
        erased: ErasureDirectory = ErasureDirectory(ErasedDevices()), notices: Notices,
        limits: Limits, places: StreamPlaces? = nil
    ) {
        self.source = source
        self.log = log
        self.erased = erased
        self.notices = notices
        self.limits = limits
        self.places = places ?? StreamPlaces(limits)
    }

    // MARK: Reading

    func run() async {
        await attemptUntilDone("Reading \(source.topic.name) for streams", notices: notices) {
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
            start = StreamVector(try await log.bounds(of: source.topic.name).map(\.end))
        }
        let reader = try await log.reader(from: start.starts(of: source.topic))
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
                    let streamed = StreamedEvent(
                        record, of: source, number: state.number + 1, vector: vector)
                else { continue }
                state.number += 1
                remember(streamed, &state)
                let subscribers = state.subscribers(of: streamed)
                if !subscribers.isEmpty { deliveries.append((streamed, subscribers)) }
            }
            state.vector = vector
            return deliveries
        }
        var behind: [StreamSubscription] = []
        for (streamed, subscribers) in deliveries {
            let event = streamed.event()
            for subscriber in subscribers where !subscriber.offer(streamed, event) {
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

    private func remember(_ streamed: StreamedEvent, _ state: inout State) {
        state.recent.append(streamed)
        state.recentBytes += streamed.record.byteCount
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

    /// - Throws: a `Problem` when the limit of streams is reached.
    func enter(
        _ topic: StreamTopic, sight: StreamSight? = nil, token: String
    ) throws(Problem) -> StreamSubscription {
        try places.enter(token: token)
        let subscription = StreamSubscription(topic, sight: sight, token: token)
        state.withLock { $0.all[ObjectIdentifier(subscription)] = subscription }
        return subscription
    }

    func leave(_ subscription: StreamSubscription) {
        subscription.end()
        let isGone = state.withLock { state -> Bool in
            guard state.all.removeValue(forKey: ObjectIdentifier(subscription)) != nil else {
                return false
            }
            Self.unlist(subscription, &state)
            return true
        }
        if isGone { places.leave(token: subscription.token) }
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
    static func beat(_ hubs: [StreamHub]) async throws {
        while true {
            try await Task.sleep(for: .seconds(1))
            for hub in hubs { hub.tick() }
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
    /// The offsets at which a reader of the topic starts.
    func starts(of topic: Topic) -> [TopicPartition: Int64] {
        Dictionary(
            uniqueKeysWithValues: offsets.enumerated().map {
                (TopicPartition(topic.name, $0.offset), $0.element)
            })
    }
}
