import Backups
import Events
import Postgres
import Retrying
import ServiceHost

/// Writes each erasure beside the backups as soon as it is made. An older backup still has the
/// device, and its restore leaves the device out by this file.
final class ErasureCopies: Sendable {
    /// How often new erasures are looked for without a ring: an account that ends, and a site that
    /// is removed, erase their devices too.
    private static let interval = Duration.seconds(5)

    private let pool: PostgresPool
    private let files: ErasureFiles
    private let clock: EventClock
    private let rings: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init(_ pool: PostgresPool, _ files: ErasureFiles, _ clock: EventClock) {
        self.pool = pool
        self.clock = clock
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
                    let first = try await ErasureStore.all(pool)
                    try await files.catchUp(first)
                    try await files.beat(at: clock.now)
                    var beatAt = ContinuousClock.now
                    try await ErasureStore.noteCopied(first, pool)
                    retry.ended()
                    for await _ in rings {
                        try await copy()
                        if .now - beatAt >= ErasureFiles.beat {
                            try await files.beat(at: clock.now)
                            beatAt = .now
                        }
                        retry.ended()
                    }
                }
            }
        }
    }

    private func copy() async throws {
        while true {
            let erased = try await ErasureStore.uncopied(pool)
            if erased.isEmpty { return }
            for erased in erased { try await files.write(erased) }
            try await ErasureStore.noteCopied(erased, pool)
        }
    }
}
