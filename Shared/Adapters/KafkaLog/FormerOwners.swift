import EventLog
import Kafka

/// Ends what dead members have left open, so that their successors need not wait for it.
///
/// The brokers end an abandoned transaction within its time-out of 5 s and their own interval of
/// 10 s, and until then nobody learns what the group has committed. Each commit therefore notes its
/// transactional id beside the offset. Whoever makes that id known anew has the brokers end its
/// transaction at once, and fences its owner should that still live (KIP-98). A member's consumer
/// names itself by the same id, so that those can be told who are members still: they end their
/// transactions themselves, and to fence them would cost them their work.
struct FormerOwners {
    private static let wait = Duration.seconds(3)

    let group: String
    let settings: KafkaLogSettings
    let observer: KafkaObserver
    /// Each is fenced once: what hangs after that is not ended by fencing.
    private var fenced: Set<String> = []
    private var asking: GroupOffsets?

    init(group: String, settings: KafkaLogSettings, observer: KafkaObserver) {
        self.group = group
        self.settings = settings
        self.observer = observer
    }

    /// Fences all who committed the partitions last, but no members.
    mutating func fence(_ partitions: some Sequence<PartitionOffset>) throws(KafkaError) {
        let offsets = try client()
        let committed = try offsets.committed(Array(partitions), Self.wait)
        let owners = Set(committed.known.compactMap(\.metadata).map(MemberName.init(noted:)))
            .filter { $0.isOf(group) && !fenced.contains($0.text) }
        guard !owners.isEmpty else { return }
        let members = try offsets.memberClients(of: group, Self.wait)
        for owner in owners where !members.contains(owner.text) {
            for id in owner.transactionalIDs {
                let producer = try Producer(
                    settings: settings.transactions(id: id), observer: observer,
                    pollsItself: false)
                defer { producer.close(wait: .zero) }
                try producer.initializeTransactions(Self.wait)
            }
            fenced.insert(owner.text)
        }
    }

    /// All is well again; who hangs later is fenced again.
    mutating func forget() {
        fenced = []
        asking = nil
    }

    private mutating func client() throws(KafkaError) -> GroupOffsets {
        if let asking { return asking }
        let made = try GroupOffsets(
            settings: settings.offsets(of: group, isWaitingForPending: false), observer: observer)
        asking = made
        return made
    }
}

/// What a member of a group is called: its consumer's `client.id`, and the start of the
/// transactional ids of its producers.
struct MemberName: Hashable {
    let text: String

    /// A fresh one.
    init(group: String) {
        let random = (0..<4).map { _ in UInt32.random(in: 0...UInt32.max) }
        text = "\(group)-" + random.map { String($0, radix: 36) }.joined()
    }

    /// As it was noted beside an offset.
    init(noted: String) { text = noted }

    func isOf(_ group: String) -> Bool { text.hasPrefix("\(group)-") }

    /// How many transactions of a member may be under way to being marked.
    private static let idCount = 2

    var transactionalIDs: [String] { (1...Self.idCount).map { "\(text)-\($0)" } }
}
