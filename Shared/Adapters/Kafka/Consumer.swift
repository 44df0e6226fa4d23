import CKafka

/// A consumer, either of given partitions or as a member of a group.
///
/// One thread uses it, because all calls may block; only `waker` is for other threads. As a group
/// member (settings `group.id` and cooperative assignment) it reports rebalances through `poll`.
/// The caller then assigns or unassigns the partitions.
public final class Consumer {
    /// The result of one `poll`.
    public enum Event: ~Copyable {
        case message(ConsumedMessage)
        /// The partition has been read to its current end. Gaps before the offset are empty.
        case endOfPartition(PartitionOffset)
        /// The group assigned these partitions. Answer with `incrementalAssign`, even for an empty
        /// list.
        case assigned([PartitionOffset])
        /// The group revokes these partitions. Answer with `incrementalUnassign`, even for an empty
        /// list.
        case revoked([PartitionOffset])
        /// An error, with the partition that it concerns, if any.
        case failed(KafkaError, PartitionOffset?)
        case nothing
    }

    private let handle: ClientHandle
    private var rebalances: [(code: rd_kafka_resp_err_t, partitions: [PartitionOffset])] = []
    private var isClosing = false
    private var isSubscribed = false
    private var hasSeenRebalance = false
    /// The number of rebalances answered while closing.
    private var answeredRebalances = 0

    public init(
        settings: [String: String], observer: KafkaObserver = KafkaObserver()
    ) throws(KafkaError) {
        handle = try ClientHandle(
            RD_KAFKA_CONSUMER, settings: settings, observer: observer
        ) { configuration in
            // A reader without a group must not have this callback, or it can't assign partitions
            // itself.
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

    /// Joins the group that the settings name.
    public func subscribe(to topics: [String]) throws(KafkaError) {
        let list = PartitionList(
            topics.map {
                PartitionOffset(
                    topic: $0, partition: Int(RD_KAFKA_PARTITION_UA), offset: PartitionOffset.none)
            })
        try KafkaError.check(rd_kafka_subscribe(handle.pointer, list.pointer))
        isSubscribed = true
    }

    /// Reads exactly these partitions from the given offsets on, without a group.
    public func assign(_ partitions: [PartitionOffset]) throws(KafkaError) {
        let list = PartitionList(partitions)
        try KafkaError.check(rd_kafka_assign(handle.pointer, list.pointer))
    }

    /// Starts reading partitions that the group assigned, from the given offsets on.
    public func incrementalAssign(_ partitions: [PartitionOffset]) throws(KafkaError) {
        let list = PartitionList(partitions)
        try KafkaError.check(rd_kafka_incremental_assign(handle.pointer, list.pointer))
    }

    /// Stops reading these partitions, either for the group or to read them again from other
    /// offsets.
    public func incrementalUnassign(_ partitions: [PartitionOffset]) throws(KafkaError) {
        let list = PartitionList(partitions)
        try KafkaError.check(rd_kafka_incremental_unassign(handle.pointer, list.pointer))
    }

    /// The next event, or `nothing` after the wait.
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

    /// Ends a wait in `poll`. Any thread may use it.
    public var waker: Waker { Waker(handle: handle) }

    /// Queries the group's committed offsets. Other threads may use it too.
    public var groupOffsets: GroupOffsets { GroupOffsets(handle: handle) }

    /// The consumer's membership in its group. Nil when the group has removed the consumer: the
    /// brokers would accept offsets without a member unchecked, so it must not commit any.
    public func groupMetadata() -> GroupMetadata? {
        guard let metadata = rd_kafka_consumer_group_metadata(handle.pointer) else { return nil }
        let group = GroupMetadata(metadata)
        // This check comes after the metadata was read. A member that is removed in between carries
        // the old generation, and the brokers refuse that.
        return memberID == nil ? nil : group
    }

    /// Leaves the group at once and stops.
    public func close() {
        guard !isClosing else { return }
        isClosing = true
        if isSubscribed {
            // Between joining a group and its first rebalance librdkafka 2.0 must not be destroyed,
            // or it aborts the process (its issue 4312, fixed in 2.3).
            if !hasSeenRebalance, memberID != nil { handle.abandon() }
            leave()
        }
        rd_kafka_consumer_close(handle.pointer)
    }

    /// The name by which the group's coordinator knows this consumer. Nil while it is no member. A
    /// consumer that was removed and comes back gets another.
    public var memberID: String? {
        guard let member = rd_kafka_memberid(handle.pointer) else { return nil }
        defer { rd_kafka_mem_free(handle.pointer, member) }
        return member.pointee == 0 ? nil : String(cString: member)
    }

    /// Leaves the group before the consumer closes. A rebalance that is first seen inside
    /// `rd_kafka_consumer_close` may come after the group's end. librdkafka 2.0 then never returns
    /// from the answer to it.
    private func leave() {
        for (code, partitions) in rebalances { answer(code, partitions) }
        rebalances = []
        // Answers an assignment that was reported but never answered.
        try? incrementalAssign([])
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

    /// Answers a rebalance. librdkafka waits for an answer to each one, and refuses to unassign
    /// partitions that were never assigned.
    private func answer(_ code: rd_kafka_resp_err_t, _ partitions: [PartitionOffset]) {
        answeredRebalances += 1
        if code == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS {
            try? incrementalAssign([])
        } else {
            let held = held
            try? incrementalUnassign(
                partitions.filter { lost in
                    held.contains { $0.topic == lost.topic && $0.partition == lost.partition }
                })
        }
    }

    /// The partitions that are assigned now.
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
            // Nobody polls any more, so the rebalance is answered here.
            answer(code, partitions)
        } else {
            rebalances.append((code, partitions))
            // Else the poll that runs this would go on waiting for a message. All partitions are
            // paused until the answer, so none would come.
            rd_kafka_yield(handle.pointer)
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
