import ServiceRuntime

/// Asks a dependency of the process, such as the log, again and again whether it answers, and sets
/// a health check accordingly.
///
/// So /readyz shows within ten seconds that the dependency is away or back. It logs nothing,
/// because the work that fails logs the reason.
struct DependencyWatch: Sendable {
    private static let pause = Duration.seconds(2)
    /// The longest wait for an answer before the check fails.
    private static let limit = Duration.seconds(5)

    let health: HealthCheck
    /// The dependency's name in the reason, such as "the log".
    let name: String
    /// Throws when the dependency does not answer; may be slow.
    let ask: @Sendable () async throws -> Void

    func run() async {
        while !Task.isCancelled {
            // The next question waits for one that hangs, so only one is ever open.
            let asking = Task { try await ask() }
            while !Task.isCancelled {
                let answer = await withTimeLimit(Self.limit) { await asking.result }
                guard !Task.isCancelled else { break }
                switch answer {
                case .success: health.set(.ready)
                case .failure: health.set(.failing(reason: "\(name) can't be reached"))
                case nil: health.set(.failing(reason: "\(name) does not answer"))
                }
                if answer != nil { break }
            }
            asking.cancel()
            try? await Task.sleep(for: Self.pause)
        }
    }
}
