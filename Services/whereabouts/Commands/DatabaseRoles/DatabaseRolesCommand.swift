import Postgres
import ServiceHost
import ServiceRuntime

extension Command {
    /// Makes the database's roles, so that no service needs the owner's password.
    public static let databaseRoles = Command(
        name: "database-roles", summary: "make a role of PostgreSQL for each service",
        help: """
            whereabouts database-roles --directory DIR SERVICE...

              SERVICE      \(DatabaseRoles.schemas.keys.sorted().joined(separator: " | "))
                           | \(DatabaseRoles.together) (all of them in one process)
              --directory  DIR/SERVICE/url becomes the DATABASE_URL of the service's own role, and
                           DIR/SERVICE/environment the same as a line for systemd; both for the
                           file's owner only

            Run by the database's owner (DATABASE_URL), before the services are started: a superuser, or
            a role with the right to make roles (ALTER ROLE ... CREATEROLE). It may be run again, always
            with the same DIR, and keeps the passwords that are there. What services have made before is
            handed over to their roles. WHEREABOUTS_LOG tells whether the log is in PostgreSQL too.
            WHEREABOUTS_ANALYST_PASSWORD, where it is set, lets whereabouts_analyst log in, who reads positions
            and visits and nothing else.

            Roles are the whole server's: one installation per PostgreSQL server. Where roles can log in
            already that DIR has no password of, nothing is changed.
              --new-passwords  makes new passwords for these services all the same; the files of
                               before stop working, and roles that DIR knows nothing of log in
                               no more
            """,
        run: { try await databaseRoles($0) })

    private static func databaseRoles(_ invocation: Invocation) async throws {
        let reader = try ArgumentReader(
            invocation.arguments, options: ["--directory"], flags: ["--new-passwords"])
        let known = Set(DatabaseRoles.schemas.keys).union([DatabaseRoles.together])
        guard let directory = reader.last("--directory"), !reader.positional.isEmpty else {
            throw UsageFault("database-roles takes --directory and services")
        }
        for name in reader.positional where !known.contains(name) {
            throw UsageFault("\(name) is no service")
        }
        let environment = ServiceProgram.processEnvironment
        let roles = DatabaseRoles(keepsLog: try logIsInPostgres(environment))
        guard let owner = secretVariable("DATABASE_URL", in: environment) else {
            throw CommandFault("DATABASE_URL is not set")
        }
        let step = DatabaseRolesStep(
            roles: roles, database: PostgresConfiguration(owner),
            directory: try DatabaseRoleFiles.directory(directory), services: reader.positional,
            makesNewPasswords: reader.has("--new-passwords"),
            analystPassword: secretVariable("WHEREABOUTS_ANALYST_PASSWORD", in: environment))
        let names = try await step.run().map { "\"\($0)\"" }.joined(separator: ",")
        invocation.output("{\"roles\":[\(names)]}")
    }

    /// As the services read it, so that a wrong value is refused and not taken for the usual one.
    private static func logIsInPostgres(_ environment: [String: String]) throws -> Bool {
        let name = "WHEREABOUTS_LOG"
        let configuration = try Configuration(
            environment: environment.filter { $0.key == name },
            settings: Host.settings.filter { $0.name == name })
        return configuration.text(name) == "postgres"
    }
}
