import Foundation
public import Postgres

/// A PostgreSQL server with a small disk in addition to its own, for a database that runs out of
/// room. The disk is a tmpfs that only the server sees. The server itself goes on.
public enum SmallDisk {
    /// The reason why this machine can't make one. Nil where it can.
    public static let obstacle: String? = {
        if let obstacle = PrivatePostgres.obstacle { return obstacle }
        guard getuid() == 0 else { return "only root may mount a tmpfs" }
        do {
            try runProgram(["unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"])
            return nil
        } catch { return "a tmpfs can't be mounted here" }
    }()

    /// Makes a server with a disk of this many megabytes, and a database on it.
    public static func make(
        megabytes: Int
    ) async throws -> (server: PrivatePostgres, database: PostgresConfiguration) {
        let mount =
            "mkdir -p $DIRECTORY/small && mount -t tmpfs "
            + "-o size=\(megabytes)m,uid=$(id -u postgres),mode=0700 tmpfs $DIRECTORY/small"
        let server = try PrivatePostgres(
            within: ["unshare", "-m", "sh", "-c", mount + " && exec \"$@\"", "sh"])
        let connection = PostgresConnection(server.configuration())
        try await connection.execute(
            script: "CREATE TABLESPACE small LOCATION '\(server.path)/small'")
        try await connection.execute(script: "CREATE DATABASE small TABLESPACE small")
        await connection.close()
        return (server, server.configuration(database: "small"))
    }
}
