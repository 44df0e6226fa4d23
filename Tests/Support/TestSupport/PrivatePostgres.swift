import Foundation
public import Postgres
import Synchronization

/// A PostgreSQL server for tests: in a new directory, reachable through a Unix socket there, with
/// fsync on. Most tests share one server and use a database each. Tests that kill the server start
/// their own.
public final class PrivatePostgres: Sendable {
    /// The folder of the server's programs. Nil when it is not installed.
    static let programs: URL? = findPrograms()
    /// The reason why tests can't start a server. Nil where they can.
    public static let obstacle: String? =
        LogsToTest.obstacle("postgres") ?? (programs == nil ? "PostgreSQL is not installed" : nil)
    public static var isUsable: Bool { obstacle == nil }

    private static let sharedServer = Mutex<PrivatePostgres?>(nil)

    /// The server that most tests share. It starts at first use.
    public static func shared() throws -> PrivatePostgres {
        try sharedServer.withLock { server in
            if let server { return server }
            let made = try PrivatePostgres()
            server = made
            return made
        }
    }

    private let directory: URL
    private let settings: [String]
    private let wrapper: [String]
    private let process = Mutex<ServerProcess?>(nil)
    private let databases = Mutex(0)

    /// Starts a server. `settings` are lines of postgresql.conf, and `access` are lines of
    /// pg_hba.conf. `wrapper` is a command that runs the rest; it may name the server's directory
    /// as `$DIRECTORY`.
    public init(
        settings: [String] = [], within wrapper: [String] = [], access: [String] = []
    ) throws {
        guard let programs = Self.programs else {
            throw TestServerError("PostgreSQL's server programs are not installed")
        }
        self.settings = settings
        let directory = try makeServerDirectory(named: "postgres")
        self.directory = directory
        self.wrapper = wrapper.map { $0.replacing("$DIRECTORY", with: directory.path) }
        let data = directory.appending(path: "data").path
        try runProgram(
            asServer(programs.appending(path: "initdb").path)
                + ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"])
        let rules = URL(filePath: data).appending(path: "pg_hba.conf")
        let known = try String(contentsOf: rules, encoding: .utf8)
        if !access.isEmpty {
            try Data((access + [known]).joined(separator: "\n").utf8).write(to: rules)
        }
        try start()
    }

    /// The directory of the server's files and socket.
    public var path: String { directory.path }

    /// Keeps a copy of the current files. The server must be stopped.
    public func saveFiles() throws {
        try runProgram(["cp", "-a", "\(directory.path)/data", "\(directory.path)/saved"])
    }

    /// Restores the copy, like a backup or a standby that lagged behind. The server then runs on a
    /// new timeline.
    public func startFromSavedFiles() throws {
        try runProgram(["rm", "-rf", "\(directory.path)/data"])
        try runProgram(["cp", "-a", "\(directory.path)/saved", "\(directory.path)/data"])
        let signal = "\(directory.path)/data/recovery.signal"
        try runProgram(["touch", signal])
        try runProgram(["chown", "--reference=\(directory.path)/data", signal])
        try start()
    }

    /// libpq's keywords for a database of this server.
    public func connectionString(database: String = "postgres") -> String {
        "host=\(directory.path) user=postgres dbname=\(database)"
    }

    public func configuration(database: String = "postgres") -> PostgresConfiguration {
        // Many tests begin at once, and the server answers late.
        PostgresConfiguration(
            connectionString(database: database), connectTimeout: .seconds(60))
    }

    /// Creates an empty database and returns its configuration.
    public func makeDatabase() async throws -> PostgresConfiguration {
        let number = databases.withLock { count in
            count += 1
            return count
        }
        let name = "test_\(number)"
        let connection = PostgresConnection(configuration())
        try await connection.execute(script: "CREATE DATABASE \(name)")
        return configuration(database: name)
    }

    /// Kills the server and its children at once, like a power loss, but the disk keeps its writes.
    public func kill() {
        process.withLock { process in
            process?.killTree()
            process = nil
        }
    }

    /// Stops the server regularly.
    public func stop() {
        process.withLock { process in
            process?.end(with: SIGINT)
            process = nil
        }
    }

    /// Starts the server again with the same files and waits until it answers.
    public func start() throws {
        guard let programs = Self.programs else { return }
        var arguments = wrapper + asServer(programs.appending(path: "postgres").path)
        arguments += ["-D", directory.appending(path: "data").path]
        let always = [
            "listen_addresses=", "unix_socket_directories=\(directory.path)", "fsync=on",
            "max_connections=400", "shared_buffers=64MB", "logging_collector=off",
            // Tests that run side by side make and drop their tables in one transaction each.
            "max_locks_per_transaction=256",
            "restore_command=false",
        ]
        for setting in always + settings { arguments += ["-c", setting] }
        let log = directory.appending(path: "server.log").path
        let deadline = Date(timeIntervalSinceNow: 60)
        while true {
            let server = try ServerProcess(arguments, logPath: log)
            if waitUntilReady(server, until: deadline) {
                return process.withLock { $0 = server }
            }
            server.killTree()
            // After a kill the old server's children may hold its memory for a moment.
            guard Date() < deadline else {
                let output = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
                throw TestServerError("PostgreSQL did not start: \(output.suffix(2000))")
            }
            usleep(200_000)
        }
    }

    private func waitUntilReady(_ server: ServerProcess, until deadline: Date) -> Bool {
        while server.isRunning, Date() < deadline {
            if (try? PostgresSession(configuration())) != nil { return true }
            usleep(20_000)
        }
        return false
    }

    private static func findPrograms() -> URL? {
        var candidates: [String] = []
        if let output = try? runProgram(["pg_config", "--bindir"]) {
            candidates.append(output.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        candidates += versions.sorted().reversed().map { "\(root)/\($0)/bin" }
        return candidates.first { FileManager.default.isExecutableFile(atPath: "\($0)/postgres") }
            .map { URL(filePath: $0) }
    }
}

public struct TestServerError: Error, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}
