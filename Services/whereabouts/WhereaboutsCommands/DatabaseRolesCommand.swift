import Cryptography
import Foundation
import Postgres
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

            Run by the database's owner (DATABASE_URL), before the services are started; it may be run
            again, and keeps the passwords that are there. What services have made before is handed over to
            their roles. WHEREABOUTS_LOG tells whether the log is in PostgreSQL too.
            WHEREABOUTS_ANALYST_PASSWORD, where it is set, lets whereabouts_analyst log in, who reads positions
            and visits and nothing else.
            """,
        run: { try await databaseRoles($0) })

    private static func databaseRoles(_ invocation: Invocation) async throws {
        let reader = try ArgumentReader(invocation.arguments, options: ["--directory"])
        let known = Set(DatabaseRoles.schemas.keys).union([DatabaseRoles.together])
        guard let directory = reader.last("--directory"), !reader.positional.isEmpty else {
            throw UsageFault("database-roles takes --directory and services")
        }
        for name in reader.positional where !known.contains(name) {
            throw UsageFault("\(name) is no service")
        }
        let environment = ServiceProgram.processEnvironment
        guard let owner = secretVariable("DATABASE_URL", in: environment) else {
            throw CommandFault("DATABASE_URL is not set")
        }
        let database = PostgresConfiguration(owner)
        let roles = DatabaseRoles(keepsLog: environment["WHEREABOUTS_LOG"] != "kafka")
        var admitted: [(role: String, password: String)] = []
        for name in reader.positional {
            let role = DatabaseRoles.role(name)
            let folder = URL(filePath: directory).appending(path: name)
            let password = try DatabaseRoleFiles(folder).password(database, role: role)
            admitted.append((role, password))
        }
        if let password = secretVariable("WHEREABOUTS_ANALYST_PASSWORD", in: environment) {
            admitted.append((DatabaseRoles.analyst, password))
        }
        try await make(roles, admitted, database)
        let names = admitted.map { "\"\($0.role)\"" }.joined(separator: ",")
        invocation.output("{\"roles\":[\(names)]}")
    }

    /// Waits for a server that is just starting, a minute at most.
    private static func make(
        _ roles: DatabaseRoles, _ admitted: [(role: String, password: String)],
        _ database: PostgresConfiguration
    ) async throws {
        let connection = PostgresConnection(database)
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            do {
                try await connection.withTransaction { connection in
                    try connection.execute(script: roles.script)
                    for entry in admitted {
                        try DatabaseRoles.admit(
                            entry.role, password: entry.password, connection)
                    }
                }
                return await connection.close()
            } catch let error as PostgresError where error.isRetriable && .now < deadline {
                try await Task.sleep(for: .seconds(1))
            }
        }
    }
}

/// Where a service finds the password of its role.
struct DatabaseRoleFiles {
    private let folder: URL

    init(_ folder: URL) { self.folder = folder }

    /// The role's password, made now or before; writes the files.
    func password(_ database: PostgresConfiguration, role: String) throws -> String {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let kept = folder.appending(path: "password")
        let known = (try? String(contentsOf: kept, encoding: .utf8)) ?? ""
        let password = known.isEmpty ? BearerToken().hash : known
        if known.isEmpty { try write(password, to: kept) }
        let words = try database.connectionString(user: role, password: password)
        try write(words, to: folder.appending(path: "url"))
        // systemd reads what is between double quotes, but for backslashes, as it stands.
        let quoted = words.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        try write(
            "DATABASE_URL=\"\(quoted)\"\n", to: folder.appending(path: "environment"))
        return password
    }

    /// Whole or not at all, and for nobody else to read at any moment.
    private func write(_ text: String, to file: URL) throws {
        let fresh = file.appendingPathExtension("new")
        try? FileManager.default.removeItem(at: fresh)
        guard
            FileManager.default.createFile(
                atPath: fresh.path, contents: Data(text.utf8),
                attributes: [.posixPermissions: 0o600]), rename(fresh.path, file.path) == 0
        else { throw CommandFault("\(file.path) can't be written") }
    }
}
