import Dispatch
import Glibc
import Synchronization

/// Passes SIGTERM and SIGINT from the signal handler, which may do almost nothing, to ordinary
/// code. It uses a pipe: D. J. Bernstein's "self-pipe trick".
///
/// Dispatch's own signal sources become active some time after their start, and lose signals before
/// that. This handler is active as soon as `shared` has been used.
final class SignalPipe: Sendable {
    /// Made at first use. It lives as long as the process, because its handlers do.
    static let shared = SignalPipe()

    private let listeners = Mutex<[Int: @Sendable (Int32) -> Void]>([:])
    private let nextKey = Atomic<Int>(0)

    // Safe: set once in init and never read. It only keeps the source alive.
    private nonisolated(unsafe) let source: any DispatchSourceRead

    private init() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            preconditionFailure("a process without file descriptors cannot hear signals")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        writeEnd = ends[1]
        source = DispatchSource.makeReadSource(
            fileDescriptor: ends[0], queue: DispatchQueue(label: "whereabouts.signals"))
        source.setEventHandler(handler: Self.drain(ends[0]))
        source.activate()
        // Otherwise a peer that closes its connection during a write would end the process.
        signal(SIGPIPE, SIG_IGN)
        for number in [SIGTERM, SIGINT] { signal(number, Self.handler) }
    }

    /// Calls the listener with each signal from now on. Returns a key for `forget`.
    func listen(_ listener: @escaping @Sendable (Int32) -> Void) -> Int {
        let key = nextKey.wrappingAdd(1, ordering: .relaxed).newValue
        listeners.withLock { $0[key] = listener }
        return key
    }

    func forget(_ key: Int) { _ = listeners.withLock { $0.removeValue(forKey: key) } }

    // Formed outside of any actor. It does only what POSIX allows in a handler: `write`, with
    // `errno` restored.
    private static let handler: @convention(c) (Int32) -> Void = { number in
        let before = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(writeEnd, &byte, 1)
        errno = before
    }

    private nonisolated static func drain(_ readEnd: Int32) -> @Sendable () -> Void {
        {
            var byte: UInt8 = 0
            while read(readEnd, &byte, 1) == 1 {
                let listeners = shared.listeners.withLock { Array($0.values) }
                for listener in listeners { listener(Int32(byte)) }
            }
        }
    }
}

/// Safe: written once, before the handler that reads it is installed.
private nonisolated(unsafe) var writeEnd: Int32 = -1
