import Dispatch

/// A few threads that parse large bodies. All bodies of one sender go to the same thread, so that a
/// heavy sender delays mostly itself.
struct LargeBodies: Sendable {
    private static let threads = 4
    /// Bytes above which a body is parsed on another thread. Megabytes of JSON would hold up all
    /// other requests of the server's thread.
    static let inlineBytes = 65_536

    private let queues = (0..<Self.threads).map {
        DispatchQueue(label: "whereabouts.large-bodies.\($0)", qos: .utility)
    }

    /// Parses a small body at once, and a large one when its thread is free.
    func read(bytes: Int, of sender: String, _ body: @escaping @Sendable () -> Void) {
        guard bytes > Self.inlineBytes else { return body() }
        let number = Int(UInt(bitPattern: sender.hashValue) % UInt(Self.threads))
        queues[number].async(execute: body)
    }

    /// As `read`, for a task that waits for what was parsed.
    func value<Value: Sendable>(
        bytes: Int, of sender: String, _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            read(bytes: bytes, of: sender) { continuation.resume(returning: body()) }
        }
    }
}
