import Glibc
import ServiceRuntime
import Synchronization
import Testing

/// Serialized, since a signal reaches every listener in the process.
@Suite("ServiceGroup", .serialized) struct ServiceGroupTests {
    struct Broken: Error, CustomStringConvertible { let description = "the pipe burst" }

    /// Records the calls of its functions, and behaves as the test sets it.
    final class Part: Component {
        let name: String
        private let journal: Journal
        private let onStart: @Sendable () async throws -> Void
        private let onRun: @Sendable () async throws -> Void
        private let onStop: @Sendable () async -> Void

        init(
            _ name: String, _ journal: Journal,
            onStart: @escaping @Sendable () async throws -> Void = {},
            onRun: @escaping @Sendable () async throws -> Void = {
                try await Task.sleep(for: .seconds(3_600))
            }, onStop: @escaping @Sendable () async -> Void = {}
        ) {
            self.name = name
            self.journal = journal
            self.onStart = onStart
            self.onRun = onRun
            self.onStop = onStop
        }
        func start() async throws {
            journal.note("start \(name)")
            try await onStart()
        }
        func run() async throws { try await onRun() }
        func stop() async {
            journal.note("stop \(name)")
            await onStop()
        }
    }

    /// Holds a task until it is released, even when the task is cancelled.
    final class Held: Sendable {
        private let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)
        func hold() async {
            await withCheckedContinuation { task in waiting.withLock { $0 = task } }
        }
        func release() { waiting.withLock { $0.take() }?.resume() }
    }

    final class Journal: Sendable {
        private let stored = Mutex<[String]>([])
        func note(_ entry: String) { stored.withLock { $0.append(entry) } }
        var entries: [String] { stored.withLock { $0 } }
    }

    let journal = Journal()
    let signals = StopSignals()

    func group(_ parts: [Part], stopLimit: Duration = .seconds(30)) -> ServiceGroup {
        ServiceGroup(
            parts, log: Logger(service: "test") { [journal] in journal.note($0) },
            stopLimit: stopLimit)
    }

    var steps: [String] { journal.entries.filter { !$0.hasPrefix("{") } }
    func logged(_ text: String) -> Bool {
        journal.entries.contains { $0.hasPrefix("{") && $0.contains(text) }
    }

    @Test("Components start in order and stop in reverse when SIGTERM comes")
    func order() async {
        let last = Part("c", journal, onStart: { kill(getpid(), SIGTERM) })
        let code = await group([Part("a", journal), Part("b", journal), last]).run(until: signals)
        #expect(code == .success)
        #expect(steps == ["start a", "start b", "start c", "stop c", "stop b", "stop a"])
        #expect(logged("SIGTERM"))
    }

    @Test("A component that fails while running stops all others, with its reason in the log")
    func failure() async {
        let code = await group([
            Part("a", journal), Part("b", journal, onRun: { throw Broken() }), Part("c", journal),
        ]).run(until: signals)
        #expect(code == .failure)
        #expect(Array(steps.suffix(2)) == ["stop b", "stop a"])
        #expect(logged("the pipe burst"))
    }

    @Test("A component that ends by itself is a failure")
    func endsByItself() async {
        let code = await group([Part("a", journal, onRun: {})]).run(until: signals)
        #expect(code == .failure)
        #expect(logged("ended by itself"))
    }

    @Test("A component that can't start stops the earlier ones, and later ones never start")
    func startFails() async {
        let code = await group([
            Part("a", journal), Part("b", journal, onStart: { throw Broken() }), Part("c", journal),
        ]).run(until: signals)
        #expect(code == .failure)
        #expect(steps == ["start a", "start b", "stop b", "stop a"])
    }

    @Test("A stop during a slow start cancels it")
    func stopWhileStarting() async {
        let signals = signals
        let slow = Part(
            "slow", journal,
            onStart: {
                signals.stop(because: "test")
                try await Task.sleep(for: .seconds(3_600))
            })
        let code = await group([slow, Part("b", journal)]).run(until: signals)
        #expect(code == .success)
        #expect(steps == ["start slow", "stop slow"])
    }

    @Test("A component that does not stop in time is left behind")
    func stuck() async {
        let signals = signals
        let held = Held()
        let stuck = Part(
            "stuck", journal, onStart: { signals.stop(because: "test") },
            onStop: {
                // Ignores its cancellation, like a blocked C call.
                await held.hold()
            })
        let code = await group([Part("a", journal), stuck], stopLimit: .milliseconds(200))
            .run(until: signals)
        #expect(code == .success)
        #expect(steps.last == "stop a")
        #expect(logged("left behind"))
        held.release()
    }

    @Test("The default run lasts until the group stops")
    func defaultRun() async {
        struct Quiet: Component {
            let name = "quiet"
            func stop() async {}
        }
        let log = Logger(service: "test") { _ in }
        async let code = ServiceGroup([Quiet()], log: log).run(until: signals)
        try? await Task.sleep(for: .milliseconds(50))
        signals.stop(because: "test")
        #expect(await code == .success)
    }

    @Test("The program answers its flags and refuses unknown arguments")
    func program() async {
        let program = ServiceProgram(
            name: "locator", version: "1.2.3", summary: "Locates.",
            settings: [
                Setting("WHEREABOUTS_LOG", .choice(["postgres", "kafka"]), .required, help: "h")
            ],
            checkHealth: { $0.text("WHEREABOUTS_LOG") == "kafka" ? nil : "no answer" },
            components: { _ in throw Broken() })
        func run(_ arguments: [String], _ environment: [String: String]) async -> (ExitCode, String)
        {
            let journal = Journal()
            let code = await program.run(
                arguments: arguments, environment: environment, output: journal.note,
                errors: { journal.note($0) })
            return (code, journal.entries.joined())
        }
        let good = ["WHEREABOUTS_LOG": "kafka"]
        #expect(await run(["--version"], [:]) == (.success, "locator 1.2.3\n"))
        #expect(await run(["--help"], [:]).1.contains("WHEREABOUTS_STOP_LIMIT"))
        #expect(await run(["--check-config"], good) == (.success, "configuration is good\n"))
        #expect(await run(["--check-config"], [:]).0 == .configuration)
        #expect(await run([], [:]).0 == .configuration)
        #expect(await run(["--health"], good) == (.success, "healthy\n"))
        #expect(await run(["--health"], ["WHEREABOUTS_LOG": "postgres"]).0 == .failure)
        let unknown = await run(["--health", "--helpme"], good)
        #expect(unknown == (.usage, "locator: there is no option --helpme; see --help\n"))
        #expect(await run(["--health", "--version"], good).1.contains("only one option"))
        let failed = await run([], good)
        #expect(failed.0 == .failure)
        #expect(failed.1.contains("the pipe burst"))
    }

    @Test("A fault of a setting that the health check does not read does not matter to it")
    func healthSettings() async {
        let port = Setting("WHEREABOUTS_PORT", .integer(1...9), .required, help: "h")
        let program = ServiceProgram(
            name: "locator", version: "1", summary: "Locates.",
            settings: [port, Setting("DATABASE_URL", .secret, .required, help: "h")],
            requirements: { _ in [ConfigurationFault(name: "OTHER", problem: "is missing")] },
            healthSettings: [port],
            checkHealth: { $0.integer("WHEREABOUTS_PORT") == 5 ? nil : "no answer" },
            components: { _ in throw Broken() })
        func health(_ environment: [String: String]) async -> ExitCode {
            await program.run(
                arguments: ["--health"], environment: environment, output: { _ in },
                errors: { _ in })
        }
        #expect(await health(["WHEREABOUTS_PORT": "5", "WHEREABOUTS_X": "y"]) == .success)
        #expect(await health(["WHEREABOUTS_PORT": "6"]) == .failure)
        #expect(await health(["WHEREABOUTS_PORT": "x"]) == .configuration)
    }

    @Test("A second signal ends the process at once", .timeLimit(.minutes(2)))
    func secondSignal() async {
        await #expect(processExitsWith: .exitCode(128 + SIGINT)) {
            let signals = StopSignals()
            kill(getpid(), SIGTERM)
            _ = await signals.wait()
            kill(getpid(), SIGINT)
            try await Task.sleep(for: .seconds(60))
            withExtendedLifetime(signals) {}
        }
    }
}
