/// A setting of a topic that is not as its specification says.
public struct TopicDifference: Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// The topic does not exist.
        case missing
        /// It has another number of partitions, which can't be changed.
        case partitions(present: Int, wanted: Int)
        /// A setting that `createTopics` changes.
        case setting(name: String, present: String, wanted: String)
        /// This client may not read the settings of topics.
        case hidden
    }

    public var topic: String
    public var kind: Kind

    public init(_ topic: String, _ kind: Kind) {
        self.topic = topic
        self.kind = kind
    }

    public var description: String {
        switch kind {
        case .missing: "\(topic) does not exist"
        case .partitions(let present, let wanted):
            "\(topic) has \(present) partitions, not \(wanted)"
        case .setting(let name, let present, let wanted):
            "\(name) of \(topic) is \(present), not \(wanted)"
        case .hidden: "this account may not read the settings of topics"
        }
    }
}
