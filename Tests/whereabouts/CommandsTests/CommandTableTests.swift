import Commands
import ServiceRuntime
import Synchronization
import Testing

@Suite("The table of commands")
struct CommandTableTests {
    @Test("exits with 78 if settings are wrong, and names all of them")
    func wrongEnvironment() async {
        let faults = [
            ConfigurationFault(name: "A", problem: "is no number"),
            ConfigurationFault(name: "B", problem: "is missing"),
        ]
        let command = Command(name: "try", summary: "", help: "") { _ in
            throw ConfigurationError(faults: faults)
        }
        let told = Mutex<[String]>([])
        let status = await CommandTable(program: "whereabouts", [command]).run(
            ["try"], output: { _ in }, note: { line in told.withLock { $0.append(line) } })
        #expect(status == 78)
        #expect(told.withLock { $0 } == ["whereabouts try: A is no number\nB is missing"])
    }
}
