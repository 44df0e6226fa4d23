import EventLog
import Kafka
import Retrying
import Synchronization
import Threads

/// Finds the committed offsets of partitions that the group assigned to a member. It runs on a
/// thread of its own. It may have to wait for a former owner's open transaction, and meanwhile the
/// member polls and works.
///
/// Each partition is reported as soon as its offset is known, so a slow one delays no other.
actor OffsetResolver {
    /// The time limit for one answer. librdkafka repeats a query while a transaction is open on any
    /// of its partitions, and reports nothing about the others.
    private static let wait = Duration.seconds(1)
    private static let waitForOne = Duration.milliseconds(300)
    private static let firstPause = Duration.milliseconds(50)
    private static let longestPause = Duration.seconds(1)
    /// A live owner's transaction ends within milliseconds. One that is open for longer than this
    /// was left behind.
    private static let patience = Duration.milliseconds(500)
    /// A wait longer than this is reported as a hindrance.
    static let usualWait = Duration.seconds(5)

    /// The queries under way, and the results since the member's last call.
    private struct Exchange: Sendable {
        var lastTicket = 0
        var tickets: [TopicPartition: Int] = [:]
        var found: [TopicPartition: Int64] = [:]
        var faults: [TopicPartition: EventLogError] = [:]
        var failure: EventLogError?
    }

    private let executor = ThreadExecutor(name: "kafka-offsets")
    private let offsets: GroupOffsets
    private let waker: Consumer.Waker
    private let complaints: Complaints
    private var formerOwners: FormerOwners
    private let exchange = Mutex(Exchange())

    init(
        offsets: GroupOffsets, waker: Consumer.Waker, formerOwners: FormerOwners,
        complaints: Complaints
    ) {
        self.offsets = offsets
        self.waker = waker
        self.formerOwners = formerOwners
        self.complaints = complaints
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    // MARK: The member's side

    nonisolated func ask(_ partitions: [TopicPartition]) {
        guard !partitions.isEmpty else { return }
        let ticket = exchange.withLock { exchange in
            exchange.lastTicket += 1
            for partition in partitions {
                exchange.tickets[partition] = exchange.lastTicket
                exchange.found[partition] = nil
            }
            return exchange.lastTicket
        }
        Task { await resolve(ticket) }
    }

    nonisolated func forget(_ partitions: some Sequence<TopicPartition>) {
        exchange.withLock { exchange in
            for partition in partitions {
                exchange.tickets[partition] = nil
                exchange.found[partition] = nil
                exchange.faults[partition] = nil
            }
        }
    }

    nonisolated func forgetAll() {
        exchange.withLock { exchange in
            exchange = Exchange(lastTicket: exchange.lastTicket)
        }
    }

    nonisolated var isIdle: Bool { exchange.withLock { $0.tickets.isEmpty && $0.found.isEmpty } }

    /// Removes and returns the offsets that were found since the last call.
    nonisolated func removeFound() throws(EventLogError) -> [TopicPartition: Int64] {
        let (found, failure) = exchange.withLock { exchange in
            defer { exchange.found = [:] }
            return (exchange.found, exchange.failure)
        }
        if let failure { throw failure }
        return found
    }

    /// The partitions for which the query takes too long.
    nonisolated var hindrances: [Hindrance] {
        exchange.withLock { $0.faults.map { Hindrance($0.key, $0.value) } }
    }

    // MARK: The work

    private func resolve(_ ticket: Int) async {
        let began = ContinuousClock.now
        var pause = GrowingPause(from: Self.firstPause, to: Self.longestPause)
        while true {
            let places = wanted(ticket)
            guard !places.isEmpty else { return }
            do throws(KafkaError) {
                var pending = try ask(places, Self.wait, ticket)
                if pending.count > 1 {
                    var left: [PartitionOffset] = []
                    for place in pending { left += try ask([place], Self.waitForOne, ticket) }
                    pending = left
                }
                if pending.isEmpty { return }
                hinder(pending, ticket, since: began)
                if .now - began > Self.patience { fence(pending) }
            } catch {
                return fail(EventLogError(error), ticket)
            }
            try? await Task.sleep(for: pause.next())
        }
    }

    /// Delivers the known offsets and returns the partitions without one. Throws errors that no
    /// retry can help.
    private func ask(
        _ places: [PartitionOffset], _ wait: Duration, _ ticket: Int
    ) throws(KafkaError) -> [PartitionOffset] {
        do throws(KafkaError) {
            let answer = try offsets.committed(places, wait)
            deliver(answer.known, ticket)
            return answer.pending
        } catch {
            guard error.isRetriable else { throw error }
            if error.code != .timedOut {
                complaints.about(error, "Asking for the group's committed offsets")
            }
            return places
        }
    }

    private nonisolated func wanted(_ ticket: Int) -> [PartitionOffset] {
        exchange.withLock { exchange in
            exchange.tickets.filter { $0.value == ticket }.keys.sorted().map {
                PartitionOffset(
                    topic: $0.topic, partition: $0.partition, offset: PartitionOffset.none)
            }
        }
    }

    private nonisolated func deliver(_ places: [PartitionOffset], _ ticket: Int) {
        guard !places.isEmpty else { return }
        exchange.withLock { exchange in
            for place in places {
                let partition = TopicPartition(place.topic, place.partition)
                guard exchange.tickets[partition] == ticket else { continue }
                exchange.tickets[partition] = nil
                exchange.faults[partition] = nil
                exchange.found[partition] =
                    place.offset < 0 ? PartitionOffset.beginning : place.offset
            }
        }
        waker.wake()
    }

    private nonisolated func hinder(
        _ places: [PartitionOffset], _ ticket: Int, since began: ContinuousClock.Instant
    ) {
        guard .now - began > Self.usualWait else { return }
        exchange.withLock { exchange in
            for place in places {
                let partition = TopicPartition(place.topic, place.partition)
                guard exchange.tickets[partition] == ticket else { continue }
                exchange.faults[partition] = EventLogError(
                    .unavailable,
                    """
                    the group's committed offset of \(partition) can't be read: a transaction on \
                    it does not end, or the brokers do not answer
                    """)
            }
        }
    }

    private nonisolated func fail(_ error: EventLogError, _ ticket: Int) {
        exchange.withLock { exchange in
            guard exchange.tickets.values.contains(ticket) else { return }
            exchange.failure = error
        }
        waker.wake()
    }

    /// Fences the former owners of these partitions. If it fails, the brokers end the transactions
    /// later.
    private func fence(_ places: [PartitionOffset]) {
        do throws(KafkaError) {
            try formerOwners.fence(places)
        } catch {
            complaints.about(error, "Ending a former owner's open transactions")
        }
    }
}
