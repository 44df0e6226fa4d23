import EventLog
import Postgres
import Retrying
import ServiceRuntime

/// Sets a health check to whether PostgreSQL has disk space, so that /readyz shows it within
/// seconds.
///
/// Writers find out that the disk is full. From then on a megabyte is written and deleted again
/// until that succeeds.
struct StorageWatch: Component {
    private static let pause = Duration.seconds(1)

    let name = "storage"
    let sign: StorageSign
    let database: PostgresConfiguration
    let health: HealthCheck
    let notices: Notices

    func run() async throws {
        let connection = PostgresConnection(database)
        var retry = Retry(of: "Writing to PostgreSQL's disk", notices: notices)
        health.set(.ready)
        while !Task.isCancelled {
            if sign.isFull {
                do {
                    try await connection.checkRoom()
                    sign.clear()
                    retry.ended()
                    health.set(.ready)
                } catch {
                    // Other watches report a server that is away.
                    if (error as? PostgresError)?.isStorageFull ?? false { retry.failed(error) }
                    health.set(.failing(reason: "the disk of PostgreSQL is full"))
                }
            }
            try? await Task.sleep(for: Self.pause)
        }
        await connection.close()
    }

    func stop() async {}
}
