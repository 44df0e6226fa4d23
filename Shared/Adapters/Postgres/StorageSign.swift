import Synchronization

/// Whether a server's disk is full, as far as this process's writers know.
public final class StorageSign: Hashable, Sendable {
    private let full = Mutex(false)

    public init() {}

    public var isFull: Bool { full.withLock { $0 } }

    func note() { full.withLock { $0 = true } }

    public func clear() { full.withLock { $0 = false } }

    public static func == (one: StorageSign, other: StorageSign) -> Bool { one === other }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
