import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    @Suite("The services' command lines") struct CommandLineTests {
        static let programs =
            PathTable.committed.owners.sorted() + ["serve"]
        static let path = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]

        private func run(
            _ program: String, _ argument: String, _ environment: [String: String]
        ) async throws -> ProgramRun {
            try await ProgramRun.of(
                Programs.command(program) + [argument],
                environment: environment.merging(Self.path) { first, _ in first })
        }

        @Test("--help prints the table of settings", arguments: programs)
        func help(program: String) async throws {
            let help = try await run(program, "--help", [:])
            #expect(help.status == 0)
            // A person reads what `whereabouts` says; of a service it is the output asked for.
            let text = help.output + help.errors
            for name in ["DATABASE_URL", "WHEREABOUTS_LISTEN", "WHEREABOUTS_LOG"] {
                #expect(text.contains(name))
            }
        }

        @Test("A command that is a container's first process ends at SIGTERM")
        func firstProcess() async throws {
            // Until a process handles the signal, the kernel drops it.
            let script = """
                unshare --user --map-root-user --pid --fork "$0" backup keep & outer=$!
                until inner=$(cat /proc/$outer/task/$outer/children) && [ "$inner" ]; do
                    sleep 0.1
                done
                until (( 0x$(sed -n 's/SigCgt:\t//p' /proc/${inner% }/status) & 0x4000 )); do
                    sleep 0.1
                done
                kill -TERM $inner; wait $outer; echo "status $?"
                """
            let run = try await ProgramRun.of(
                ["timeout", "--signal=KILL", "20", "bash", "-c", script]
                    + Programs.command("whereabouts"),
                environment: [
                    "DATABASE_URL": "postgresql://nobody@nowhere/none",
                    "WHEREABOUTS_BACKUPS": FileManager.default.temporaryDirectory.path,
                    "WHEREABOUTS_SERVICE_SECRET": "a-secret-for-the-first-process-0123456789",
                ].merging(Self.path) { first, _ in first })
            #expect(run.output.contains("status 143"), "\(run.status) \(run.output) \(run.errors)")
        }

        @Test("--check-config accepts a good environment", arguments: programs)
        func goodConfiguration(program: String) async throws {
            let check = try await run(
                program, "--check-config", ["DATABASE_URL": "postgresql://nobody@nowhere/none"])
            #expect(check.status == 0, "\(check.errors)")
        }

        @Test("--check-config names all that is wrong at once", arguments: programs)
        func badConfiguration(program: String) async throws {
            let wrong = [
                "WHEREABOUTS_LISTEN": "here", "WHEREABOUTS_PARTITIONS": "0",
                "WHEREABOUTS_LOG": "kafka", "WHEREABOUTS_LOGG": "postgres",
                "WHEREABOUTS_REQUEST_TIMEOUT": "soon",
            ]
            let check = try await run(program, "--check-config", wrong)
            #expect(check.status == 78)
            let missing = ["KAFKA_BOOTSTRAP_SERVERS"]
            for name in wrong.keys.filter({ $0 != "WHEREABOUTS_LOG" }) + missing {
                #expect(check.errors.contains("\(name) "), "\(name): \(check.errors)")
            }
            #expect(!check.errors.contains("\n  WHEREABOUTS_LOG "))
            let started = try await ProgramRun.of(
                Programs.command(program),
                environment: wrong.merging(Self.path) { first, _ in first })
            #expect(started.status == 78)
            #expect(started.errors == check.errors)
        }

        @Test("The tests' own variables stop a program, which withoutSettings prevents")
        func variablesOfTests() async throws {
            let tests = [
                "WHEREABOUTS_ICALENDAR": "/usr/bin/python3", "WHEREABOUTS_LOG": "kafka",
                "KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:1", "DATABASE_URL_FILE": "/nowhere",
                "TMPDIR": "/tmp",
            ]
            let own = ["DATABASE_URL": "postgresql://nobody@nowhere/none"]
            let stopped = try await run(
                "locator", "--check-config", tests.merging(own) { first, _ in first })
            #expect(stopped.status == 78)
            #expect(stopped.errors.contains("WHEREABOUTS_ICALENDAR is not known"))
            let kept = withoutSettings(tests)
            #expect(kept == ["TMPDIR": "/tmp"])
            let check = try await run(
                "locator", "--check-config", kept.merging(own) { first, _ in first })
            #expect(check.status == 0, "\(check.errors)")
        }

        @Test(
            "--check-config refuses a positioner that does not exist, and names those that do",
            arguments: ["locator", "serve"])
        func unknownPositioner(program: String) async throws {
            let check = try await run(
                program, "--check-config",
                ["DATABASE_URL": "postgresql://none", "WHEREABOUTS_POSITIONER": "oracle"])
            #expect(check.status == 78)
            #expect(
                check.errors.contains(
                    "WHEREABOUTS_POSITIONER must name a positioner: oracle is not a positioner; "
                        + "known are auto, best-match"))
        }

        @Test("--health says that nothing runs when nothing does", arguments: programs)
        func unhealthy(program: String) async throws {
            // Nobody can listen on port 1 without being root, and no root does.
            let health = try await run(
                program, "--health",
                ["DATABASE_URL": "postgresql://none", "WHEREABOUTS_LISTEN": "127.0.0.1:1"])
            #expect(health.status == 1)
            #expect(health.errors.contains("127.0.0.1:1"))
        }

        @Test("A data set that lacks a column is refused by the column's name")
        func missingColumn() async throws {
            let folder = try makeTemporaryFolder("data set")
            defer { try? FileManager.default.removeItem(at: folder) }
            let columns =
                (1...520).map { "WAP" + String(format: "%03d", $0) } + [
                    "LONGITUDE", "LATITUDE", "FLOOR", "SPACEID", "RELATIVEPOSITION", "USERID",
                    "PHONEID", "TIMESTAMP",
                ]
            for name in ["trainingData.csv", "validationData.csv"] {
                let row = columns.map { _ in "1" }.joined(separator: ",")
                try (columns.joined(separator: ",") + "\n\(row)\n").write(
                    to: folder.appending(path: name), atomically: true, encoding: .utf8)
            }
            for command in [["import", "ujiindoorloc"], ["accuracy", "ujiindoorloc"]] {
                let run = try await ProgramRun.of(
                    Programs.command("whereabouts") + command + [folder.path],
                    environment: Self.path.merging(["WHEREABOUTS_TOKEN": "none"]) { $1 })
                #expect(run.status == 1)
                #expect(run.errors.contains("BUILDINGID"), "\(run.errors)")
                #expect(run.errors.contains("trainingData.csv"), "\(run.errors)")
            }
        }
    }
}
