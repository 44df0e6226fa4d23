/// The roles that the groups of a sign-in provider give, as an operator sets them:
/// `staff=analyst@museum; it=administrator; team=surveyor@museum/main+annex`.
public struct GroupRoles: Hashable, Sendable {
    /// A role at a site, in some of its buildings, or at all sites. The caller checks that the ids
    /// and the role exist.
    public struct Entry: Hashable, Sendable {
        public var group: String
        public var role: String
        public var site: String?
        public var buildings: [String]
    }

    /// An error in the setting's text.
    public struct Fault: Error, Hashable, Sendable {
        public var sentence: String
    }

    public let entries: [Entry]

    /// - Parameter roles: the names of all roles.
    public init(_ text: String, roles: Set<String>) throws(Fault) {
        var entries: [Entry] = []
        for part in text.split(separator: ";") {
            let part = Self.trimmed(part)
            if part.isEmpty { continue }
            guard let equals = part.lastIndex(of: "=") else {
                throw Fault(sentence: "'\(part)' is not GROUP=ROLE")
            }
            let group = Self.trimmed(part[..<equals])
            let words = Self.trimmed(part[part.index(after: equals)...])
            let halves = words.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
            let role = String(halves[0])
            guard !group.isEmpty, roles.contains(role) else {
                throw Fault(
                    sentence:
                        "'\(part)': the role is one of \(roles.sorted().joined(separator: ", "))")
            }
            var entry = Entry(group: group, role: role, site: nil, buildings: [])
            if halves.count == 2 {
                let place = halves[1].split(
                    separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
                entry.site = String(place[0])
                if place.count == 2 {
                    entry.buildings = place[1].split(separator: "+").map(String.init)
                }
                guard !place[0].isEmpty, place.count == 1 || !entry.buildings.isEmpty else {
                    throw Fault(sentence: "'\(part)' is not GROUP=ROLE@SITE/BUILDING+BUILDING")
                }
            }
            entries.append(entry)
        }
        self.entries = entries
    }

    /// The roles of somebody who is in these groups, in the order of the setting.
    public func entries(of groups: [String]) -> [Entry] {
        let groups = Set(groups)
        return entries.filter { groups.contains($0.group) }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let noSpace = text.drop { $0 == " " || $0 == "\n" || $0 == "\t" }
        return String(noSpace.reversed().drop { $0 == " " || $0 == "\n" || $0 == "\t" }.reversed())
    }
}
