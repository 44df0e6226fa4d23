import Foundation
import Repository
import Testing

@Suite("The list of long tests") struct LongTestsTests {
    @Test("names only existing tests")
    func exist() throws {
        let lines = try String(
            contentsOf: repository.appending(path: "deploy/long-tests"), encoding: .utf8
        )
        .split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(lines.count > 10)
        let folders = [
            "Domain", "Adapters", "Shared", "Services", "whereabouts", "House", "System",
        ]
        for line in lines {
            let parts = try #require(
                line.wholeMatch(of: /(?:slow|long) (\w+)\.(?:\w+\/)?(\w+)\/(\w+)/), "\(line)")
            let (target, suite, function) = (parts.1, parts.2, parts.3)
            let sources = folders.flatMap { texts(in: "Tests/\($0)/\(target)") }
            #expect(
                sources.contains {
                    $0.contains("struct \(suite)") && $0.contains("func \(function)(")
                }, "there is no test for the line \(line)")
        }
    }

    private func texts(in folder: String) -> [String] {
        let root = repository.appending(path: folder)
        let names = FileManager.default.enumerator(atPath: root.path)?.allObjects ?? []
        return names.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.compactMap {
            try? String(contentsOf: root.appending(path: $0), encoding: .utf8)
        }
    }
}
