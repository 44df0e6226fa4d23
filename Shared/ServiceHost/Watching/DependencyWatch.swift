import ServiceRuntime

/// Asks something that the process needs, again and again, whether it answers, and keeps a health
/// check true to it, so that /readyz tells within ten seconds that it is away, and that it is back.
/// It logs nothing: those who do the work say what is wrong.
struct DependencyWatch: Sendable {
    private static let pause = Duration.seconds(2)
    /// How long an answer may take before the check fails.
    private static let limit = Duration.seconds(5)

    let health: HealthCheck
    /// As the reason names it: "the log".
    let name: String
    /// Throws when there is no answer; may take long.
    let ask: @Sendable () async throws -> Void

    /// Watches until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            // A question that hangs is waited for, so that no more than one is under way.
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
