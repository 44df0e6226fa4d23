import Foundation
import Testing

@Suite("Files for Prometheus and Grafana") struct PrometheusFilesTests {
    static let hasTool: Bool = {
        (try? DeployTests.run(["promtool", "--version"], environment: [:]))?.0 == 0
    }()

    private func promtool(_ arguments: String...) throws -> (Int32, String) {
        try DeployTests.run(["promtool"] + arguments, environment: [:])
    }

    private func path(_ file: String) -> String { DeployTests.root.appending(path: file).path }

    @Test(
        "promtool accepts the configuration, and raises and clears every alarm",
        .enabled(if: hasTool, "promtool is not installed"))
    func alarms() throws {
        let check = try promtool("check", "config", path("deploy/prometheus/prometheus.yml"))
        #expect(check.0 == 0, "\(check.1)")
        let test = try promtool("test", "rules", path("deploy/prometheus/tests.yml"))
        #expect(test.0 == 0, "\(test.1)")
        // Every rule has its test, and promtool notices a planted fault.
        let rules = try DeployTests.text("deploy/prometheus/rules.yml")
        let tests = try DeployTests.text("deploy/prometheus/tests.yml")
        let names = rules.matches(of: /- alert: (\S+)/).map { String($0.1) }
        #expect(names.count > 15)
        for name in names { #expect(tests.contains("alertname: \(name)\n"), "\(name)") }
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "prometheus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try rules.replacing("ratio) < 0.1", with: "ratio) < 0.01")
            .write(to: folder.appending(path: "rules.yml"), atomically: true, encoding: .utf8)
        try tests.write(
            to: folder.appending(path: "tests.yml"), atomically: true, encoding: .utf8)
        let planted = try promtool("test", "rules", folder.appending(path: "tests.yml").path)
        #expect(planted.0 != 0)
    }

    @Test("Each dashboard has a name and an id of its own, and names no other data source")
    func dashboards() throws {
        let files = DocumentationTests.files(under: "deploy/grafana", endingWith: ".json")
        #expect(files.count == 4)
        var ids: Set<String> = []
        for file in files {
            let data = Data(try DeployTests.text(file).utf8)
            let board = try #require(
                JSONSerialization.jsonObject(with: data) as? [String: Any])
            ids.insert(try #require(board["uid"] as? String))
            for panel in try #require(board["panels"] as? [[String: Any]]) {
                let source = panel["datasource"] as? [String: String]
                #expect(source == ["type": "prometheus", "uid": "${datasource}"])
            }
        }
        #expect(ids.count == files.count)
    }
}
