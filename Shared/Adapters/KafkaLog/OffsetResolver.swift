import EventLog
import Kafka
import Retrying
import Synchronization
import Threads

/// Finds out what the group has committed of partitions that came to a member, on a thread of its
/// own: that waits for a former owner's open transaction, and the member polls and works meanwhile.
///
/// Each partition is told of as soon as it is known; one that hangs holds up no other.
actor OffsetResolver {
    /// How long one answer may take. librdkafka asks again and again while any of the partitions in
    /// a question has a transaction that has not ended, and says nothing of the others.
    private static let wait = Duration.seconds(1)
    private static let waitForOne = Duration.milliseconds(300)
    private static let firstPause = Duration.milliseconds(50)
    private static let longestPause = Duration.seconds(1)
    /// A transaction of a live owner ends within milliseconds. One that is pending after this was
    /// left behind.
    private static let patience = Duration.milliseconds(500)
    /// A wait that is longer is told as what it is.
    static let usualWait = Duration.seconds(5)

    /// What is being asked for, and what was found since the member last looked.
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

    /// What was found since the last call.
    nonisolated func takeFound() throws(EventLogError) -> [TopicPartition: Int64] {
        let (found, failure) = exchange.withLock { exchange in
            defer { exchange.found = [:] }
            return (exchange.found, exchange.failure)
        }
        if let failure { throw failure }
        return found
    }

    /// Partitions for which it takes longer than it should.
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

    /// Delivers what is known and gives the rest. Throws what asking again can't mend.
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
                complaints.about(error, "Asking for what the group has committed")
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
                    what the group has committed of \(partition) is not to be had: a transaction on \
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

    /// When this fails, the brokers end the transactions in their own time.
    private func fence(_ places: [PartitionOffset]) {
        do throws(KafkaError) {
            try formerOwners.fence(places)
        } catch {
            complaints.about(error, "Ending what a former owner left open")
        }
    }
}
