import EventLog
import Postgres
import Retrying
import ServiceRuntime

/// Keeps a health check true to whether PostgreSQL has room, so that /readyz tells it within
/// seconds. Those who write find out that it has none; from then on a megabyte is written and taken
/// back again and again until that succeeds.
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
                    // Others tell of a server that is away.
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
