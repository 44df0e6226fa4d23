import CKafka

/// A consumer: of partitions that it is given, or a member of a group.
///
/// One thread uses it; everything but its `waker` blocks or may. As a group member (settings
/// `group.id` and cooperative assignment) it leaves it to its user to take up and give back
/// partitions when `poll` says so.
public final class Consumer {
    /// What one `poll` brings.
    public enum Event: ~Copyable {
        case message(ConsumedMessage)
        /// All of the partition has been read that is there now; gaps before the offset are empty.
        case endOfPartition(PartitionOffset)
        /// The group gave these partitions: `take` them, with offsets, also when there are none.
        case assigned([PartitionOffset])
        /// The group wants these back: `give` them back, also when there are none.
        case revoked([PartitionOffset])
        /// With the partition that it is about, if it is about one.
        case failed(KafkaError, PartitionOffset?)
        case nothing
    }

    private let handle: ClientHandle
    private var rebalances: [(code: rd_kafka_resp_err_t, partitions: [PartitionOffset])] = []
    private var isClosing = false
    private var isSubscribed = false
    private var hasSeenRebalance = false
    /// Rebalances that were answered while closing.
    private var answeredRebalances = 0

    public init(
        settings: [String: String], observer: KafkaObserver = KafkaObserver()
    ) throws(KafkaError) {
        handle = try ClientHandle(
            RD_KAFKA_CONSUMER, settings: settings, observer: observer
        ) { configuration in
            // A reader without a group has no use for it, and with it no assignment of its own.
            guard settings["group.id"] != nil else { return }
            rd_kafka_conf_set_rebalance_cb(configuration) { _, code, partitions, opaque in
                guard let partitions else { return }
                ClientHandle.CallbackState.from(opaque)?
                    .onRebalance?(code, PartitionList.read(partitions))
            }
        }
        try KafkaError.check(rd_kafka_poll_set_consumer(handle.pointer))
        handle.callbacks.onRebalance = { [unowned self] in self.rebalance($0, $1) }
    }

    deinit { handle.callbacks.onRebalance = nil }

    /// Joins the group of the settings.
    public func subscribe(to topics: [String]) throws(KafkaError) {
        let list = PartitionList(
            topics.map {
                PartitionOffset(
                    topic: $0, partition: Int(RD_KAFKA_PARTITION_UA), offset: PartitionOffset.none)
            })
        try KafkaError.check(rd_kafka_subscribe(handle.pointer, list.pointer))
        isSubscribed = true
    }

    /// Reads exactly these from the given offsets on, without a group.
    public func assign(_ partitions: [PartitionOffset]) throws(KafkaError) {
        let list = PartitionList(partitions)
        try KafkaError.check(rd_kafka_assign(handle.pointer, list.pointer))
    }

    /// Takes up partitions that the group gave, from the given offsets on.
    public func take(_ partitions: [PartitionOffset]) throws(KafkaError) {
        let list = PartitionList(partitions)
        try KafkaError.check(rd_kafka_incremental_assign(handle.pointer, list.pointer))
    }

    /// Stops reading these, because the group wants them back or to `take` them from elsewhere.
    public func give(_ partitions: [PartitionOffset]) throws(KafkaError) {
        let list = PartitionList(partitions)
        try KafkaError.check(rd_kafka_incremental_unassign(handle.pointer, list.pointer))
    }

    /// What comes next, or `nothing` after the wait.
    public func poll(_ wait: Duration) -> Event {
        if let event = nextRebalance() { return event }
        guard let message = rd_kafka_consumer_poll(handle.pointer, wait.milliseconds) else {
            // A rebalance ends the wait without a message.
            return nextRebalance() ?? .nothing
        }
        switch message.pointee.err {
        case RD_KAFKA_RESP_ERR_NO_ERROR:
            return .message(ConsumedMessage(message))
        case RD_KAFKA_RESP_ERR__PARTITION_EOF:
            let place = ConsumedMessage(message)
            return .endOfPartition(
                PartitionOffset(
                    topic: place.topic, partition: place.partition, offset: place.offset))
        default:
            let text = rd_kafka_message_errstr(message).map { String(cString: $0) }
            let error = KafkaError(message.pointee.err, text)
            let isOfPartition = message.pointee.rkt != nil && message.pointee.partition >= 0
            let place = ConsumedMessage(message)
            return .failed(
                error,
                isOfPartition
                    ? PartitionOffset(
                        topic: place.topic, partition: place.partition, offset: place.offset)
                    : nil)
        }
    }

    /// Ends a wait in `poll`; any thread may call it.
    public var waker: Waker { Waker(handle: handle) }

    /// Asks what the group has committed. Other threads may ask too.
    public var groupOffsets: GroupOffsets { GroupOffsets(handle: handle) }

    /// Who this is in its group; nil when the group has dropped it. Offsets sent without a member
    /// would be taken by the brokers unseen, so a member that was dropped must not send any.
    public func groupMetadata() -> GroupMetadata? {
        guard let metadata = rd_kafka_consumer_group_metadata(handle.pointer) else { return nil }
        let group = GroupMetadata(metadata)
        // Asked after the metadata was taken: a member that is dropped in between carries the old
        // generation, which the brokers refuse.
        return isMember ? group : nil
    }

    /// Leaves the group at once and stops.
    public func close() {
        guard !isClosing else { return }
        isClosing = true
        if isSubscribed {
            // From joining a group to its first rebalance librdkafka 2.0 must not be destroyed: it
            // aborts the process (its issue 4312, mended in 2.3).
            if !hasSeenRebalance, isMember { handle.abandon() }
            leave()
        }
        rd_kafka_consumer_close(handle.pointer)
    }

    /// The group's coordinator knows this consumer and has not dropped it.
    private var isMember: Bool {
        guard let member = rd_kafka_memberid(handle.pointer) else { return false }
        defer { rd_kafka_mem_free(handle.pointer, member) }
        return member.pointee != 0
    }

    /// Leaves the group while it still stands. A rebalance that is first met within
    /// `rd_kafka_consumer_close` may come after the group's end, and then librdkafka 2.0 never
    /// returns from the answer to it.
    private func leave() {
        for (code, partitions) in rebalances { answer(code, partitions) }
        rebalances = []
        // For what was told as assigned and never taken up.
        try? take([])
        guard rd_kafka_unsubscribe(handle.pointer) == RD_KAFKA_RESP_ERR_NO_ERROR else { return }
        let deadline = ContinuousClock.now + .seconds(3)
        var quietTurns = 0
        while quietTurns < 3, .now < deadline {
            let before = answeredRebalances
            if let message = rd_kafka_consumer_poll(handle.pointer, 20) {
                rd_kafka_message_destroy(message)
                continue
            }
            quietTurns = answeredRebalances == before && held.isEmpty ? quietTurns + 1 : 0
        }
    }

    /// librdkafka waits for an answer to each rebalance that it has announced, and takes none that
    /// gives back what was never taken up.
    private func answer(_ code: rd_kafka_resp_err_t, _ partitions: [PartitionOffset]) {
        answeredRebalances += 1
        if code == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS {
            try? take([])
        } else {
            let held = held
            try? give(
                partitions.filter { lost in
                    held.contains { $0.topic == lost.topic && $0.partition == lost.partition }
                })
        }
    }

    /// What has been taken up and not given back.
    private var held: [PartitionOffset] {
        var list: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>?
        guard rd_kafka_assignment(handle.pointer, &list) == RD_KAFKA_RESP_ERR_NO_ERROR, let list
        else { return [] }
        defer { rd_kafka_topic_partition_list_destroy(list) }
        return PartitionList.read(list)
    }

    private func nextRebalance() -> Event? {
        guard !rebalances.isEmpty else { return nil }
        let next = rebalances.removeFirst()
        return next.code == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS
            ? .assigned(next.partitions) : .revoked(next.partitions)
    }

    private func rebalance(_ code: rd_kafka_resp_err_t, _ partitions: [PartitionOffset]) {
        hasSeenRebalance = true
        if isClosing {
            // Nobody polls any more.
            answer(code, partitions)
        } else {
            rebalances.append((code, partitions))
        }
    }

    /// Ends another thread's wait in `poll`.
    public struct Waker: Sendable {
        let handle: ClientHandle

        public func wake() {
            let queue = rd_kafka_queue_get_consumer(handle.pointer)
            rd_kafka_queue_yield(queue)
            rd_kafka_queue_destroy(queue)
        }
    }
}
