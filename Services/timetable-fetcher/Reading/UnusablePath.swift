import HTMLPages
import Timetables
import Wire

/// A path of a feed that could not find anything on any page.
struct UnusablePath: Hashable, Sendable {
    /// The name of the path, such as `rooms`.
    var name: String
    var reason: String

    /// The first such path of a feed; nil where all can be used.
    init?(of feed: TimetableFeed) {
        let missing = Self.needed(by: feed).first { feed.paths[$0, default: ""].isEmpty }
        if let missing {
            self.init(name: missing, reason: "this path is needed")
            return
        }
        for (name, path) in feed.paths.sorted(by: { $0.key < $1.key }) {
            guard let reason = Self.fault(of: path, in: feed.kind) else { continue }
            self.init(name: name, reason: reason)
            return
        }
        return nil
    }

    private init(name: String, reason: String) {
        self.name = name
        self.reason = reason
    }

    /// Those that have no usual path. A JSON document has one for each.
    private static func needed(by feed: TimetableFeed) -> [String] {
        switch feed.kind {
        case .computersHTML: ["rooms", "name", "free"]
        case .table, .form: feed.paths["rows"] == nil ? [] : ["rows", "start", "end"]
        case .calendar, .computersJSON: []
        }
    }

    private static func fault(of path: String, in kind: FeedKind) -> String? {
        if kind == .computersJSON { return CountPaths.isPath(path) ? nil : "no such path" }
        do throws(HTMLPath.Fault) {
            _ = try HTMLPath(path)
            return nil
        } catch {
            return error.reason
        }
    }
}
