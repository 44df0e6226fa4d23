import Backups
import Postgres
import Retrying

/// Writes each erasure beside the backups as soon as it is made. An older backup still has the
/// device, and its restore leaves the device out by this file.
final class ErasureCopies: Sendable {
    /// How often the table is compared with the files without a new erasure.
    private static let interval = Duration.seconds(600)

    private let pool: PostgresPool
    private let files: ErasureFiles
    private let rings: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init(_ pool: PostgresPool, _ files: ErasureFiles) {
        self.pool = pool
        self.files = files
        (rings, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Wakes `keep`. Call it after the erasure's transaction.
    func ring() { continuation.yield() }

    /// Writes what is missing at the start and after each ring, until the task is cancelled.
    func keep(_ notices: Notices) async {
        await withTaskGroup { group in
            group.addTask { [self] in
                while !Task.isCancelled {
                    ring()
                    try? await Task.sleep(for: Self.interval)
                }
            }
            group.addTask { [self] in
                await attemptUntilDone(
                    "Writing erasures beside the backups", notices: notices
                ) { retry in
                    try await files.catchUp(ErasureStore.all(pool))
                    for await _ in rings {
                        try await files.catchUp(ErasureStore.all(pool))
                        retry.ended()
                    }
                }
            }
        }
    }
}
