import Cryptography
import Dispatch
import HTTP
import ServiceHost
import Wire

/// Makes and checks hashes of passwords. Two run at a time and twenty wait, since strangers can ask
/// for them. Each needs 64 MiB and a tenth of a second of a core.
actor PasswordWork {
    private static let atOnce = 2
    private static let waitingMaximum = 20

    /// A hash to check when nobody has the sign-in, so that the answer takes as long as for a wrong
    /// password.
    private static let nobody = PasswordHash.make(of: "nobody has this password") ?? ""

    private let queue = DispatchQueue(label: "whereabouts.passwords", attributes: .concurrent)
    private var running = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Whether the password belongs to the hash. Without a hash the answer is false, after the same
    /// time.
    func matches(_ password: String, _ hash: String?) async throws -> Bool {
        try await inTurn {
            let matches = PasswordHash.matches(password, hash ?? Self.nobody)
            return matches && hash != nil
        }
    }

    /// The hash of a password that follows the rule.
    func hash(_ password: String) async throws -> String {
        let hash = try await inTurn { PasswordHash.make(of: password) }
        guard let hash else { throw Self.busy }
        return hash
    }

    private static let busy = Problem(
        .signInBusy, "Many people are signing in just now; try again.",
        retryAfterSeconds: 2)

    private func inTurn<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value
    ) async throws -> Value {
        if running >= Self.atOnce {
            guard waiting.count < Self.waitingMaximum else { throw Self.busy }
            // A finished check passes its place to the next waiting one.
            await withCheckedContinuation { waiting.append($0) }
        } else {
            running += 1
        }
        defer {
            if waiting.isEmpty { running -= 1 } else { waiting.removeFirst().resume() }
        }
        return await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }
}
