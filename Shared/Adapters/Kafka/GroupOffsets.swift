import CKafka

/// Asks what a consumer group has committed, and moves it. Every call blocks, and any thread may
/// make it.
///
/// librdkafka 2.0.2 can ask this as a request of its administration too
/// (`rd_kafka_ListConsumerGroupOffsets`), and must not: when that runs out of time while the
/// group's coordinator is away, and the coordinator then comes back, `rd_kafka_admin_coord_request`
/// gives its last reference to the request back, says so by an error, and `rd_kafka_coord_req_fail`
/// hands the same reference on (an assertion in `rd_kafka_enq_once_del_source_return` ends the
/// process). All requests of the administration that go to a coordinator have this in common. The
/// call here is the consumer's.
public struct GroupOffsets: Sendable {
    /// What was answered about partitions.
    public struct Answer: Sendable {
        /// `PartitionOffset.none` where nothing has been committed.
        public var known: [PartitionOffset] = []
        /// Those on which a transaction has not ended.
        public var pending: [PartitionOffset] = []
    }

    // Thread-safe; the handle lives as long as anybody may ask.
    private let handle: ClientHandle

    init(handle: ClientHandle) { self.handle = handle }

    /// - Parameter settings: `group.id` names the group. With the isolation level `read_committed`
    ///   what a transaction is about to commit is `pending`; else it does not count.
    public init(
        settings: [String: String], observer: KafkaObserver = KafkaObserver()
    ) throws(KafkaError) {
        handle = try ClientHandle(RD_KAFKA_CONSUMER, settings: settings, observer: observer)
    }

    public func committed(
        _ partitions: [PartitionOffset], _ wait: Duration
    ) throws(KafkaError) -> Answer {
        guard !partitions.isEmpty else { return Answer() }
        let list = PartitionList(partitions)
        try KafkaError.check(rd_kafka_committed(handle.pointer, list.pointer, wait.milliseconds))
        var answer = Answer()
        let places = PartitionList.read(list.pointer)
        for (entry, place) in zip(PartitionList.entries(list.pointer), places) {
            if KafkaError.Code(entry.err) == .unstableOffsets {
                answer.pending.append(place)
            } else {
                try KafkaError.check(entry.err)
                answer.known.append(place)
            }
        }
        return answer
    }

    /// Commits as nobody's member, which the brokers refuse (`lostMembership`) while there are any.
    public func move(to offsets: [PartitionOffset]) throws(KafkaError) {
        let list = PartitionList(offsets)
        try KafkaError.check(rd_kafka_commit(handle.pointer, list.pointer, 0))
        _ = try list.offsets()
    }

    /// The `client.id` of each member of the group. Asks all brokers and, unlike
    /// `rd_kafka_DescribeConsumerGroups`, not as a request of the administration.
    public func memberClients(of group: String, _ wait: Duration) throws(KafkaError) -> Set<String>
    {
        var list: UnsafePointer<rd_kafka_group_list>?
        let code = rd_kafka_list_groups(handle.pointer, group, &list, wait.milliseconds)
        guard let list else { throw KafkaError(code) }
        defer { rd_kafka_group_list_destroy(list) }
        // A part of the list would miss members that live.
        try KafkaError.check(code)
        var clients: Set<String> = []
        let groups = UnsafeBufferPointer(
            start: list.pointee.groups, count: Int(list.pointee.group_cnt))
        for found in groups {
            try KafkaError.check(found.err)
            let members = UnsafeBufferPointer(start: found.members, count: Int(found.member_cnt))
            for member in members {
                if let client = member.client_id { clients.insert(String(cString: client)) }
            }
        }
        return clients
    }
}
