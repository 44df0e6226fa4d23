import Dispatch

/// Threads that read large bodies: a few, and one sender's bodies always wait for the same, so that it holds up
/// itself before others.
struct LargeBodies: Sendable {
    private static let threads = 4

    private let queues = (0..<Self.threads).map {
        DispatchQueue(label: "whereabouts.large-bodies.\($0)", qos: .utility)
    }

    func read(of sender: String, _ body: @escaping @Sendable () -> Void) {
        let number = Int(UInt(bitPattern: sender.hashValue) % UInt(Self.threads))
        queues[number].async(execute: body)
    }
}
