import EventLog
import Postgres
import ServiceHost
import ServiceRuntime

extension Command {
    /// Checks an installation and says what to do.
    public static let doctor = Command(
        name: "doctor", summary: "check the installation: a line for each check, and what to do",
        help: """
            whereabouts doctor [--json]

              --json  all findings as one JSON object

            Checks the services, PostgreSQL, the log, clocks, disks, lag, retention, certificates,
            backups, secrets and versions. A line begins with its result:

              ok          nothing to do
              warning     it works, but not for long, or not for everybody
              wrong       something does not work, or data is in danger
              can't tell  the check could not be made; the line says why

            The exit status is 0 if nothing is wrong. It runs with the settings of the services,
            also while PostgreSQL, Kafka or services are away. In a container of compose:
            docker compose exec site-editor whereabouts doctor
            """,
        run: { try await doctor($0) })

    private static func doctor(_ invocation: Invocation) async throws {
        let reader = try ArgumentReader(invocation.arguments, options: [], flags: ["--json"])
        guard reader.positional.isEmpty else { throw UsageFault("doctor has no arguments") }
        let findings = await doctorFindings(ServiceProgram.processEnvironment)
        if reader.has("--json") {
            invocation.output(Finding.json(findings))
        } else {
            for finding in findings { invocation.output(finding.line) }
        }
        let wrong = findings.count { $0.result == .wrong }
        if wrong > 0 {
            throw CommandFault(wrong == 1 ? "1 check is wrong" : "\(wrong) checks are wrong")
        }
    }

    /// One finding for each fault. Two parts of the program may look for the same one.
    static func wrong(_ faults: [ConfigurationFault]) -> [Finding] {
        var seen: Set<ConfigurationFault> = []
        return faults.filter { seen.insert($0).inserted }.map {
            Finding("settings", .wrong, "\($0)", advice: "Mend it, then look again")
        }
    }

    /// All checks, made once with the settings of this environment.
    static func doctorFindings(_ environment: [String: String]) async -> [Finding] {
        let lacking = ServiceProgram.serve.requirements(environment)
        let host: Host
        do {
            host = try Host.makeObserver(
                environment: environment.merging(["WHEREABOUTS_LOG_LEVEL": "error"]) { $1 },
                service: "whereabouts doctor", settings: ServiceProgram.serviceSettings)
        } catch let error as ConfigurationError {
            return wrong(error.faults + lacking) + [
                Finding("everything else", .unknown, "the settings have faults")
            ]
        } catch {
            return [Finding("settings", .wrong, "\(error)")]
        }
        let findings = await Doctor(host).findings()
        await host.log.close()
        await host.database?.close()
        let settings =
            lacking.isEmpty
            ? [Finding("settings", .ok, "all values are valid")] : wrong(lacking)
        return settings + findings
    }
}
