import Wire

/// The arguments of `whereabouts dead-letters`, checked.
struct DeadLettersRequest: Hashable, Sendable {
    enum Work: Hashable, Sendable {
        case list(withPutBack: Bool)
        case show(id: String)
        case apply(id: String)
        case applyEverything
    }

    var work: Work
    /// Restricts the work to letters of this topic's records; nil for all topics.
    var topic: String?

    init(_ arguments: [String]) throws(UsageFault) {
        let reader = try ArgumentReader(
            arguments, options: ["--topic"], flags: ["--all", "--everything"])
        work = try Self.work(reader)
        topic = reader.last("--topic")
        switch work {
        case .show where topic != nil, .apply where topic != nil:
            throw Self.wrong("leave --topic out: the ID contains the topic")
        default: break
        }
        if let topic, !Self.isOurs(topic) {
            let names = Topic.allCases.map(\.name).sorted().joined(separator: ", ")
            throw Self.wrong("\(topic) is no topic of Whereabouts; its topics are \(names)")
        }
    }

    private static func work(_ reader: ArgumentReader) throws(UsageFault) -> Work {
        guard let verb = reader.positional.first, ["list", "show", "apply"].contains(verb) else {
            let given = reader.positional.first.map { ", not \($0)" } ?? ""
            throw wrong("dead-letters needs list, show or apply\(given)")
        }
        let ids = reader.positional.dropFirst()
        if reader.has("--all"), verb != "list" { throw wrong("--all is for list only") }
        if reader.has("--everything"), verb != "apply" {
            throw wrong("--everything is for apply only")
        }
        switch verb {
        case "list":
            guard ids.isEmpty else { throw wrong("list has no ID; use show for one letter") }
            return .list(withPutBack: reader.has("--all"))
        case "show":
            guard let id = ids.first, ids.count == 1 else { throw wrong("show needs one ID") }
            return .show(id: id)
        default:
            guard ids.count <= 1, ids.isEmpty == reader.has("--everything") else {
                throw wrong("apply needs either one ID or --everything")
            }
            return ids.first.map { .apply(id: $0) } ?? .applyEverything
        }
    }

    private static func isOurs(_ topic: String) -> Bool {
        Topic.allCases.contains { $0.name == topic }
    }

    private static func wrong(_ what: String) -> UsageFault { UsageFault(what) }
}
