import Access
import SiteEditor

/// The paths of the API and the services that answer them.
enum PathTables {
    /// ARCHITECTURE's table of paths and owners.
    static var markdown: String {
        let rows = ServiceName.allCases.flatMap { owner in
            patterns(of: owner).map { ["`\($0)`", owner.rawValue] }
        }
        return "\n" + DescribedTable.markdown(["path", "owner"], rows) + "\n"
    }

    /// The service that gets each path without an owner; it also serves the web pages.
    private static let fallback = ServiceName.siteEditor
    /// The services whose answers must not be buffered by the proxy: they stream events.
    private static let streaming = Set(
        AccessTable.rows.filter { $0.operation.pattern.hasSuffix("/stream") }.compactMap(\.owner))

    /// The routes of deploy/Caddyfile.
    static var caddyfile: String {
        var lines = ["\t# Only a sign-in by this proxy may say who somebody is (docs/roles.md)."]
        lines += SiteEditorDefinition.proxyHeaders.map { "\trequest_header -\($0)" } + [""]
        for owner in ServiceName.allCases where owner != fallback {
            let patterns = patterns(of: owner).map { $0.replacing(/{[a-z]+}/, with: "*") }
            lines += ["\t@\(owner.rawValue) path \(patterns.joined(separator: " "))"]
            lines += ["\thandle @\(owner.rawValue) {"] + proxy(owner) + ["\t}", ""]
        }
        return (lines + ["\thandle {"] + proxy(fallback) + ["\t}"]).joined(separator: "\n")
    }

    private static func proxy(_ owner: ServiceName) -> [String] {
        let options = ["import patient"] + (streaming.contains(owner) ? ["flush_interval -1"] : [])
        return ["\t\treverse_proxy \(owner.rawValue):8080 {"] + options.map { "\t\t\t\($0)" }
            + ["\t\t}"]
    }

    /// The service's path patterns, each once, sorted.
    private static func patterns(of owner: ServiceName) -> [String] {
        Set(AccessTable.rows.filter { $0.owner == owner }.map(\.operation.pattern)).sorted()
    }
}
