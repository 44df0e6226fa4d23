import Postgres
import ServiceHost
import ServiceRuntime

extension Command {
    /// Makes the database's roles, so that no service needs the owner's password.
    static let databaseRoles = Command(
        name: "database-roles", summary: "make a role of PostgreSQL for each service",
        help: """
            whereabouts database-roles --directory DIR SERVICE...

              SERVICE      \(DatabaseRoles.schemas.keys.sorted().joined(separator: " "))
                           \(DatabaseRoles.together) (all of them in one process)
              --directory  the folder to write to. DIR/SERVICE/url gets the DATABASE_URL of the
                           service's own role, and DIR/SERVICE/environment the same as a line for
                           systemd; only the files' owner can read them

            Run it before the services start, with the DATABASE_URL of the database's owner: a
            superuser, or a role with the right to make roles (ALTER ROLE ... CREATEROLE). It may be
            run again with the same DIR, and keeps the passwords there. Tables that services have
            made before get the services' roles as owners. WHEREABOUTS_LOG shows whether the log is
            in PostgreSQL. If WHEREABOUTS_ANALYST_PASSWORD is set, whereabouts_analyst can log in;
            it reads positions and visits and nothing else.

            A PostgreSQL server has one set of roles, so it serves one installation. If roles can
            log in already whose passwords are not in DIR, nothing is changed.
              --new-passwords  make new passwords for these services all the same. Their old files
                               stop working, and roles without a password in DIR can't log in
            """,
        run: { try await databaseRoles($0) })

    private static func databaseRoles(_ invocation: Invocation) async throws {
        let reader = try ArgumentReader(
            invocation.arguments, options: ["--directory"], flags: ["--new-passwords"])
        let known = Set(DatabaseRoles.schemas.keys).union([DatabaseRoles.together])
        guard let directory = reader.last("--directory"), !reader.positional.isEmpty else {
            throw UsageFault("database-roles needs --directory DIR and the names of services")
        }
        for name in reader.positional where !known.contains(name) {
            throw UsageFault(
                "\(name) is no service; there are \(known.sorted().joined(separator: ", "))")
        }
        let environment = ServiceProgram.processEnvironment
        let roles = DatabaseRoles(keepsLog: try logIsInPostgres(environment))
        guard let owner = try secretVariable("DATABASE_URL", in: environment) else {
            throw CommandFault("DATABASE_URL is not set")
        }
        let step = DatabaseRolesStep(
            roles: roles, database: PostgresConfiguration(owner),
            directory: try DatabaseRoleFiles.directory(directory), services: reader.positional,
            makesNewPasswords: reader.has("--new-passwords"),
            analystPassword: try secretVariable("WHEREABOUTS_ANALYST_PASSWORD", in: environment))
        let names = try await step.run().map { "\"\($0)\"" }.joined(separator: ",")
        invocation.output("{\"roles\":[\(names)]}")
    }

    /// Reads WHEREABOUTS_LOG as the services do, so that a wrong value is an error.
    private static func logIsInPostgres(_ environment: [String: String]) throws -> Bool {
        let name = "WHEREABOUTS_LOG"
        let configuration = try Configuration(
            environment: environment.filter { $0.key == name },
            settings: Host.settings.filter { $0.name == name })
        return configuration.text(name) == "postgres"
    }
}
