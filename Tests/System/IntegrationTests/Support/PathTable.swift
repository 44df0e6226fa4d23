import Foundation
import Repository

/// The table of paths and owners, as ARCHITECTURE.md has it.
struct PathTable: Sendable {
    struct Row: Hashable, Sendable {
        var pattern: String
        var owner: String

        /// A path that the pattern matches.
        var example: String { pattern.replacing(/\{[a-z]+\}/, with: "x") }

        /// Whether the pattern has the path, too. Both `rooms/{id}` and `rooms/free` have one.
        func matches(_ path: Substring) -> Bool {
            let (own, wanted) = (PathTable.segments(pattern[...]), PathTable.segments(path))
            return own.count == wanted.count
                && zip(own, wanted).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
        }
    }

    /// The committed table.
    static let committed: PathTable = {
        let file = repository.appending(path: "ARCHITECTURE.md")
        return PathTable(markdown: (try? String(contentsOf: file, encoding: .utf8)) ?? "")
    }()

    var rows: [Row]

    init(markdown: String) {
        rows = markdown.matches(of: /(?m)^\| `(\/[^`]*)` \| ([a-z-]+) \|$/).map {
            Row(pattern: String($0.1), owner: String($0.2))
        }
    }

    var owners: Set<String> { Set(rows.map(\.owner)) }

    /// Whose the path is; a literal segment wins over one in braces.
    func owner(of path: String) -> String? {
        let wanted = path.prefix { $0 != "?" }
        let matching = rows.filter { $0.matches(wanted) }
        return matching.min { $0.pattern.count(of: "{") < $1.pattern.count(of: "{") }?.owner
    }

    private static func segments(_ path: Substring) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false)
    }
}

extension String {
    fileprivate func count(of character: Character) -> Int { count { $0 == character } }
}
