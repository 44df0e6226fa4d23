import EventLog
import ServiceHost
import ServiceRuntime

extension Command {
    /// Says what the first start of this program would do to an installation.
    public static let upgrade = Command(
        name: "upgrade", summary: "say what this release will do to the installation",
        help: """
            whereabouts upgrade --check [--json]

              --json  the plan as one JSON object

            Prints what the first start of this program will do: the steps that bring tables up to
            date, with the rows in them; topics that are made or changed; events that are written
            again; about how long it takes; and whether the former release can be started again.
            It changes nothing, and runs while the services of the former release run. Uses the same
            settings as the services.

            The exit status is 1 where the services would not start: the database is of a later
            release, or a topic has another number of partitions.
            """,
        run: { try await upgrade($0) })

    private static func upgrade(_ invocation: Invocation) async throws {
        let reader = try ArgumentReader(
            invocation.arguments, options: [], flags: ["--check", "--json"])
        guard reader.positional.isEmpty, reader.has("--check") else {
            throw UsageFault(
                "upgrade needs --check; the upgrade itself is the start of the new services")
        }
        let host = try Host.makeObserver(
            environment: ServiceProgram.processEnvironment, service: "whereabouts upgrade",
            settings: ServiceProgram.serviceSettings)
        guard host.database != nil else {
            throw CommandFault(
                "DATABASE_URL is not set, and the tables are what an upgrade changes")
        }
        let plan: UpgradePlan
        do {
            plan = try await UpgradePlan(host)
        } catch {
            await host.log.close()
            throw error
        }
        await host.log.close()
        if reader.has("--json") {
            invocation.output(plan.json)
        } else {
            for line in plan.lines { invocation.output(line) }
        }
        if let obstacle = plan.obstacles.first {
            throw CommandFault("the services would not start: \(obstacle)")
        }
    }
}
