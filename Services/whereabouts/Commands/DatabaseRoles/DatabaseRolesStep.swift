import Foundation
import Postgres

/// One run of `whereabouts database-roles`: reads the files, changes the database, and then writes
/// the files.
struct DatabaseRolesStep: Sendable {
    let roles: DatabaseRoles
    let database: PostgresConfiguration
    let directory: URL
    let services: [String]
    let makesNewPasswords: Bool
    let analystPassword: String?

    /// Makes the roles. Waits a minute at most for a server that is just starting.
    ///
    /// - Returns: the roles that can now log in.
    func run() async throws -> [String] {
        let entries = try services.map { service in
            let role = DatabaseRoles.role(service)
            let files = files(service)
            let password = makesNewPasswords ? DatabaseRoleFiles.newPassword() : files.password
            return try Entry(
                role: role, password: password ?? DatabaseRoleFiles.newPassword(), files: files,
                database)
        }
        let connection = PostgresConnection(database)
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            do {
                try await connection.withTransaction { try change($0, entries) }
                break
            } catch let error as PostgresError where error.isRetriable && .now < deadline {
                try await Task.sleep(for: .seconds(1))
            } catch let error as PostgresError
                where error.sqlState == PostgresError.insufficientPrivilege
            {
                throw CommandFault(
                    "\(error); the database's owner needs the right to make and change roles: "
                        + "ALTER ROLE … CREATEROLE, or run it as a superuser")
            }
        }
        await connection.close()
        // Only after the commit: if the database refused the change, the old files are still right.
        for entry in entries { try entry.files.write(url: entry.url) }
        return entries.map(\.role) + (analystPassword == nil ? [] : [DatabaseRoles.analyst])
    }

    private struct Entry: Sendable {
        let role: String
        let password: String
        let files: DatabaseRoleFiles
        let url: String

        init(
            role: String, password: String, files: DatabaseRoleFiles,
            _ database: PostgresConfiguration
        ) throws {
            self.role = role
            self.password = password
            self.files = files
            url = try database.connectionString(user: role, password: password)
        }
    }

    private func files(_ service: String) -> DatabaseRoleFiles {
        DatabaseRoleFiles(directory.appending(path: service))
    }

    private func change(
        _ connection: isolated PostgresConnection, _ entries: [Entry]
    ) throws {
        let strangers = try strangers(connection)
        guard strangers.isEmpty || makesNewPasswords else { throw refusal(of: strangers) }
        try connection.execute(script: roles.script)
        // Nobody has their passwords. Without NOLOGIN the next run would be refused again.
        for role in strangers { try connection.execute(script: "ALTER ROLE \(role) NOLOGIN") }
        for entry in entries {
            try DatabaseRoles.admit(entry.role, password: entry.password, connection)
        }
        if let analystPassword {
            try DatabaseRoles.admit(DatabaseRoles.analyst, password: analystPassword, connection)
        }
        // Stored before the commit: if a password were lost later, the next run would be refused.
        for entry in entries { try entry.files.keep(entry.password) }
    }

    /// The services' roles that can log in with a password that is not in the directory. They
    /// belong to another installation: a PostgreSQL server has one set of roles.
    private func strangers(_ connection: isolated PostgresConnection) throws -> [String] {
        let services = DatabaseRoles.schemas.keys.sorted() + [DatabaseRoles.together]
        let missing = services.filter { files($0).password == nil }.map(DatabaseRoles.role)
        let rows = try connection.query(
            "SELECT rolname::text AS role FROM pg_roles WHERE rolcanlogin ORDER BY rolname")
        let present = try rows.map { row -> String in try row["role"] }
        return present.filter(missing.contains)
    }

    private func refusal(of strangers: [String]) -> CommandFault {
        CommandFault(
            "\(strangers.joined(separator: ", ")): the server has these roles already, and "
                + "\(directory.path) has no passwords for them; use the --directory of the first "
                + "run (a PostgreSQL server serves one installation), or make new passwords with "
                + "--new-passwords (the old files stop working)")
    }
}
