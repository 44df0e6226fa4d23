import Dispatch

/// Threads that read large bodies: a few, and one sender's bodies always wait for the same, so that
/// it holds up itself before others.
struct LargeBodies: Sendable {
    private static let threads = 4
    /// A longer body is read on another thread: megabytes of JSON would hold up all other requests.
    static let inlineBytes = 65_536

    private let queues = (0..<Self.threads).map {
        DispatchQueue(label: "whereabouts.large-bodies.\($0)", qos: .utility)
    }

    /// Reads a small body at once, a large one when it is its turn.
    func read(bytes: Int, of sender: String, _ body: @escaping @Sendable () -> Void) {
        guard bytes > Self.inlineBytes else { return body() }
        let number = Int(UInt(bitPattern: sender.hashValue) % UInt(Self.threads))
        queues[number].async(execute: body)
    }
}
