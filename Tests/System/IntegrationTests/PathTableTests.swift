import Foundation
import Repository
import TestSupport
import Testing

extension IntegrationTests {
    @Suite("The table of paths and owners") struct PathTableTests {
        @Test("The proxy's file is what the table makes")
        func proxyIsGenerated() async throws {
            let made = try await ProgramRun.of([
                "env", "WHEREABOUTS_PROGRAM=\(builtProgram("whereabouts"))", "python3",
                repository.appending(path: "deploy/caddyfile.py").path,
            ]).successful()
            let file = repository.appending(path: "deploy/Caddyfile")
            let committed = try String(contentsOf: file, encoding: .utf8)
            #expect(made.output == committed, "run deploy/describe.py")
            for row in PathTable.committed.rows where row.owner != "site-editor" {
                let pattern = row.pattern.replacing(/\{[a-z]+\}/, with: "*")
                let line = committed.split(separator: "\n").first {
                    $0.hasPrefix("\t@\(row.owner) path ")
                }
                #expect(line?.split(separator: " ").contains(pattern[...]) == true, "\(pattern)")
            }
        }

        @Test("A literal segment wins over one in braces, and an unknown path has no owner")
        func owners() {
            let table = PathTable(
                markdown: """
                    | `/v1/a/{id}` | one |
                    | `/v1/a/stream` | two |
                    """)
            #expect(table.owner(of: "/v1/a/stream?x=1") == "two")
            #expect(table.owner(of: "/v1/a/b") == "one")
            #expect(table.owner(of: "/v1/a") == nil)
            #expect(table.owner(of: "/v1/a/b/c") == nil)
        }
    }
}
