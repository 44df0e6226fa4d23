import Commands
import ServiceRuntime
import Synchronization
import Testing

@Suite struct ServeCommandTests {
    private let table = CommandTable(program: "whereabouts", version: "1", [.serve])

    private func run(_ arguments: String...) async -> (status: Int32, said: String) {
        let lines = Mutex<[String]>([])
        let write = { @Sendable (line: String) in lines.withLock { $0.append(line) } }
        let status = await table.run(arguments, output: write, note: write)
        return (status, lines.withLock { $0.joined(separator: "\n") })
    }

    @Test("The help of a service lists its own settings, not those of other services")
    func help() async {
        let locator = await run("serve", "locator", "--help")
        #expect(locator.status == 0)
        #expect(locator.said.contains("usage: whereabouts serve locator ["))
        #expect(locator.said.contains("WHEREABOUTS_LOCATOR_BATCH"))
        #expect(!locator.said.contains("WHEREABOUTS_RECENT_SCANS"))
        let both = await run("serve", "scan-ingest", "locator", "--help")
        #expect(both.said.contains("WHEREABOUTS_LOCATOR_BATCH"))
        #expect(both.said.contains("WHEREABOUTS_RECENT_SCANS"))
    }

    @Test("An unknown service and one named twice are refused; the error lists the services")
    func wrongNames() async {
        let other = await run("serve", "locater")
        #expect(other.status == 64)
        #expect(other.said.contains("locater is not a service; there are site-editor, "))
        let twice = await run("serve", "router", "router")
        #expect(twice.status == 64)
        #expect(twice.said.contains("named twice"))
    }

    @Test("A program that is started by a service's name serves that service")
    func links() {
        #expect(
            ServiceProgram.arguments(of: ["/usr/local/bin/locator", "--health"])
                == ["serve", "locator", "--health"])
        #expect(ServiceProgram.arguments(of: ["whereabouts", "locator"]) == ["locator"])
        #expect(ServiceProgram.arguments(of: []) == [])
    }
}
