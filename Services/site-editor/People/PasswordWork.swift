import Cryptography
import Dispatch
import HTTP
import ServiceHost
import Wire

/// Makes and checks hashes of passwords, two at a time and twenty waiting: each takes 64 MiB and a
/// tenth of a second of a core, and strangers may ask for one.
actor PasswordWork {
    private static let atOnce = 2
    private static let waitingMaximum = 20

    /// Checked where nobody has the sign-in, so that this takes as long as a wrong password.
    private static let nobody = PasswordHash.make(of: "nobody has this password") ?? ""

    private let queue = DispatchQueue(label: "whereabouts.passwords", attributes: .concurrent)
    private var running = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Whether the password is that of the hash; false without a hash, after the same time.
    func matches(_ password: String, _ hash: String?) async throws -> Bool {
        try await inTurn {
            let matches = PasswordHash.matches(password, hash ?? Self.nobody)
            return matches && hash != nil
        }
    }

    /// The hash of a password that the rule allows.
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
            // Whoever ends hands its place on.
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
