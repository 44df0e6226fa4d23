import Wire

/// What `whereabouts dead-letters` is asked for.
struct DeadLettersRequest: Hashable, Sendable {
    enum Work: Hashable, Sendable {
        case list(withPutBack: Bool)
        case show(id: String)
        case apply(id: String)
        case applyEverything
    }

    var work: Work
    /// Only letters of records of this topic.
    var topic: String?

    init(_ arguments: [String]) throws(UsageFault) {
        let reader = try ArgumentReader(
            arguments, options: ["--topic"], flags: ["--all", "--everything"])
        work = try Self.work(reader)
        topic = reader.last("--topic")
        switch work {
        case .show where topic != nil, .apply where topic != nil:
            throw Self.wrong("an ID names its topic: leave --topic out")
        default: break
        }
        if let topic, !Self.isOurs(topic) {
            let names = Topic.allCases.map(\.name).sorted().joined(separator: ", ")
            throw Self.wrong("\(topic) is no topic of ours, which are \(names)")
        }
    }

    private static func work(_ reader: ArgumentReader) throws(UsageFault) -> Work {
        guard let verb = reader.positional.first, ["list", "show", "apply"].contains(verb) else {
            let given = reader.positional.first.map { ", not \($0)" } ?? ""
            throw wrong("dead-letters takes list, show or apply\(given)")
        }
        let ids = reader.positional.dropFirst()
        if reader.has("--all"), verb != "list" { throw wrong("--all goes with list only") }
        if reader.has("--everything"), verb != "apply" {
            throw wrong("--everything goes with apply only")
        }
        switch verb {
        case "list":
            guard ids.isEmpty else { throw wrong("list takes no ID; show does") }
            return .list(withPutBack: reader.has("--all"))
        case "show":
            guard let id = ids.first, ids.count == 1 else { throw wrong("show takes one ID") }
            return .show(id: id)
        default:
            guard ids.count <= 1, ids.isEmpty == reader.has("--everything") else {
                throw wrong("apply takes either one ID or --everything")
            }
            return ids.first.map { .apply(id: $0) } ?? .applyEverything
        }
    }

    /// Positioners beside the locator's own have topics of their own.
    private static func isOurs(_ topic: String) -> Bool {
        Topic.allCases.contains { $0.name == topic } || topic.hasPrefix(Topic.positions(of: ""))
    }

    private static func wrong(_ what: String) -> UsageFault { UsageFault(what, showsHelp: false) }
}
