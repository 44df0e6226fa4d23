import EventLog
import Kafka

/// Ends the open transactions of dead members, so that their successors need not wait for them.
///
/// The brokers end an abandoned transaction only after its time-out of 5 s and their own interval
/// of 10 s. Until then nobody can read the group's committed offsets. So each commit stores its
/// transactional id beside the offset. A successor initializes a producer with that id. The brokers
/// then end the old transaction at once and fence its owner, should that still live (KIP-98).
///
/// Each member's consumer carries the same id, so live members can be recognized. They end their
/// transactions themselves, and fencing them would cost them their work.
struct FormerOwners {
    private static let wait = Duration.seconds(3)

    let group: String
    let settings: KafkaLogSettings
    let observer: KafkaObserver
    /// The owners already fenced. Fencing again would not end anything more.
    private var fenced: Set<String> = []
    private var asking: GroupOffsets?

    init(group: String, settings: KafkaLogSettings, observer: KafkaObserver) {
        self.group = group
        self.settings = settings
        self.observer = observer
    }

    /// Fences the last committers of these partitions, except current members of the group.
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

    /// Forgets the fenced owners once all offsets are known, so that later faults can be fenced
    /// again.
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

/// A group member's name: its consumer's `client.id` and the start of its producers' transactional
/// ids.
struct MemberName: Hashable {
    let text: String

    /// Makes a new random name.
    init(group: String) {
        let random = (0..<4).map { _ in UInt32.random(in: 0...UInt32.max) }
        text = "\(group)-" + random.map { String($0, radix: 36) }.joined()
    }

    /// The name that was stored beside an offset.
    init(noted: String) { text = noted }

    func isOf(_ group: String) -> Bool { text.hasPrefix("\(group)-") }

    /// The number of transactional ids of a member, and so the number of its transactions that the
    /// brokers may be finishing at once.
    private static let idCount = 2

    var transactionalIDs: [String] { (1...Self.idCount).map { "\(text)-\($0)" } }
}
