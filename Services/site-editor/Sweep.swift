import Events
import Retrying
import ServiceHost

/// Removes what is past its end, mostly every hour.
struct Sweep: Sendable {
    /// Names the work in reports, such as `Removing unused files`.
    let name: String
    let pause: Duration
    let work: @Sendable (Timestamp) async throws -> Void

    init(
        _ name: String, every pause: Duration = .seconds(3_600),
        _ work: @escaping @Sendable (Timestamp) async throws -> Void
    ) {
        self.name = name
        self.pause = pause
        self.work = work
    }

    /// Makes all these sweeps until the task is cancelled. None waits for one that fails.
    static func keep(_ sweeps: [Sweep], _ clock: EventClock, _ notices: Notices) async {
        await withTaskGroup { group in
            for sweep in sweeps {
                group.addTask {
                    await attemptUntilDone(sweep.name, notices: notices) { retry in
                        while !Task.isCancelled {
                            try await sweep.work(clock.now)
                            retry.ended()
                            try? await Task.sleep(for: sweep.pause)
                        }
                    }
                }
            }
        }
    }
}
