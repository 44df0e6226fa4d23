import CKafka

/// Queries and moves a consumer group's committed offsets. Every call blocks, and any thread may
/// make it.
///
/// librdkafka 2.0.2 also has an administration request for this
/// (`rd_kafka_ListConsumerGroupOffsets`), but it must not be used. It can time out while the
/// group's coordinator is away, and the coordinator may then come back.
/// `rd_kafka_admin_coord_request` then releases its last reference to the request and returns an
/// error. `rd_kafka_coord_req_fail` passes the same reference on, and an assertion in
/// `rd_kafka_enq_once_del_source_return` ends the process. All administration requests to a
/// coordinator have this fault. This type uses the consumer's call instead.
public struct GroupOffsets: Sendable {
    /// The brokers' answer about some partitions.
    public struct Answer: Sendable {
        /// The partitions with an answer. The offset is `PartitionOffset.none` where nothing has
        /// been committed.
        public var known: [PartitionOffset] = []
        /// The partitions on which a transaction has not ended.
        public var pending: [PartitionOffset] = []
    }

    // Thread-safe. The handle lives as long as any caller can use it.
    private let handle: ClientHandle

    init(handle: ClientHandle) { self.handle = handle }

    /// - Parameter settings: `group.id` names the group. With the isolation level `read_committed`,
    ///   partitions in an open transaction are `pending`; otherwise that transaction does not
    ///   count.
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

    /// Commits offsets without being a member. The brokers refuse this (`lostMembership`) while the
    /// group has members.
    public func move(to offsets: [PartitionOffset]) throws(KafkaError) {
        let list = PartitionList(offsets)
        try KafkaError.check(rd_kafka_commit(handle.pointer, list.pointer, 0))
        _ = try list.offsets()
    }

    /// The `client.id` of each member of the group. Asks all brokers, but without an administration
    /// request such as `rd_kafka_DescribeConsumerGroups`.
    public func memberClients(of group: String, _ wait: Duration) throws(KafkaError) -> Set<String>
    {
        var list: UnsafePointer<rd_kafka_group_list>?
        let code = rd_kafka_list_groups(handle.pointer, group, &list, wait.milliseconds)
        guard let list else { throw KafkaError(code) }
        defer { rd_kafka_group_list_destroy(list) }
        // A partial list could miss live members.
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
