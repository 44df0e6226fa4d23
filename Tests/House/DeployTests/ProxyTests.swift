import Foundation
import SiteEditor
import Testing

@Suite("The proxy's paths") struct ProxyTests {
    /// One `@name path …` line of the Caddyfile.
    struct Matcher {
        let name: String
        let patterns: [String]

        /// Matches like Caddy: a single star at the end stands for any text, any other star for one
        /// segment.
        func matches(_ path: String) -> Bool {
            patterns.contains { pattern in
                if pattern.hasSuffix("/*"), pattern.count(where: { $0 == "*" }) == 1 {
                    return path.hasPrefix(pattern.dropLast())
                }
                let (wanted, given) = (pattern.split(separator: "/"), path.split(separator: "/"))
                return wanted.count == given.count
                    && zip(wanted, given).allSatisfy { $0 == "*" || $0 == $1 }
            }
        }
    }

    struct Description: Decodable {
        struct Operation: Decodable { let tags: [String] }
        let paths: [String: [String: Operation]]
    }

    static func matchers(_ text: String) -> [Matcher] {
        text.matches(of: /(?m)^\t@([a-z-]+) path (.+)$/).map { match in
            Matcher(name: String(match.1), patterns: match.2.split(separator: " ").map(String.init))
        }
    }

    /// The service that gets the path: the first matching one, or otherwise the pages' own service.
    static func owner(of path: String, _ matchers: [Matcher]) -> String {
        matchers.first { $0.matches(path) }?.name ?? "site-editor"
    }

    @Test("Each path of the API goes to the service that the description names")
    func owners() throws {
        let matchers = Self.matchers(try DeployTests.text("deploy/Caddyfile"))
        let description = try JSONDecoder().decode(
            Description.self, from: Data(try DeployTests.text("docs/openapi.json").utf8))
        #expect(description.paths.count > 10)
        for (path, operations) in description.paths {
            let concrete = path.replacing(/\{[a-z]+\}/, with: "anything")
            for operation in operations.values {
                // The operators' paths are not reachable from outside.
                let expected = operation.tags == ["operations"] ? ["operational"] : operation.tags
                #expect([Self.owner(of: concrete, matchers)] == expected, "\(path)")
            }
        }
        // A path without an entry would go to the pages' service, and the comparison notices that.
        #expect(Self.owner(of: "/v1/scans", Array(matchers.dropFirst(2))) == "site-editor")
    }

    /// The headers that a Caddyfile removes from clients' requests.
    static func removed(_ text: String) -> Set<String> {
        Set(text.matches(of: /(?m)^\trequest_header -(\S+)$/).map { String($0.1) })
    }

    @Test("No client can send the headers by which a proxy says who somebody is")
    func signInHeaders() throws {
        let caddyfile = try DeployTests.text("deploy/Caddyfile")
        let trusted = Set(SiteEditorDefinition.proxyHeaders)
        #expect(Self.removed(caddyfile) == trusted)
        // A sign-in by lines of the operator sets them again, so it has to come later.
        #expect(caddyfile.contains("\n\torder request_header before forward_auth\n"))
        let source = try DeployTests.text("Services/site-editor/People/ProviderRoutes.swift")
        let read = Set(source.matches(of: /"(remote-[a-z]+)"/).map { String($0.1) })
        #expect(read == trusted && trusted.contains("remote-user"))
        // The documents name each of them.
        let page = try DeployTests.text("docs/roles.md").lowercased()
        for header in trusted { #expect(page.contains("`\(header)`"), "\(header)") }
        // The comparison notices a line that is missing.
        let planted = caddyfile.replacing("\trequest_header -remote-user\n", with: "")
        #expect(Self.removed(planted) == trusted.subtracting(["remote-user"]))
    }

    /// The paths that a row of the table names. `…` repeats the beginning of the path before it.
    static func paths(inRow row: Substring) -> [String] {
        var last = ""
        return row.matches(of: /`([^`]+)`/).map { match in
            let folder = last.split(separator: "/").dropLast().map { "/\($0)" }.joined()
            let path = String(match.1).replacing("…", with: folder)
            last = path
            return path
        }
    }

    @Test("The page about separate services names the same paths, and one port for each service")
    func apart() throws {
        let page = try DeployTests.text("docs/separate-services.md")
        let matchers = Self.matchers(try DeployTests.text("deploy/Caddyfile"))
        let rows = page.matches(of: /(?m)^\| (`\/.*) \| ([a-z-]+)[^|]* \| (\d+)? ?\|$/)
        #expect(
            Set(rows.map { String($0.2) })
                == Set(matchers.map(\.name)).subtracting(
                    ["operational"]).union(["none"]))
        for row in rows {
            let named = Self.paths(inRow: row.1)
            let owner = row.2 == "none" ? "operational" : String(row.2)
            let patterns = matchers.first { $0.name == owner }?.patterns ?? []
            #expect(Set(named).isSubset(of: patterns), "\(owner)")
            // The words "and below" leave out paths under a path that has its own entry.
            for pattern in patterns where !named.contains(pattern) {
                #expect(named.contains { pattern.hasPrefix($0 + "/") }, "\(pattern)")
            }
        }
        let ports = page.matches(of: /\| ([a-z-]+)[^|]* \| (80\d\d) \|/)
        #expect(ports.count == 6)
        for port in ports {
            let variable = port.1.uppercased().replacing("-", with: "_")
            #expect(page.contains("WHEREABOUTS_\(variable)_URL=http://127.0.0.1:\(port.2)\n"))
            #expect(page.contains("s/\(port.1):8080/127.0.0.1:\(port.2)/"))
        }
    }
}
