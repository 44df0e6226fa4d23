import Dispatch
import Glibc
import Synchronization

/// Carries SIGTERM and SIGINT from the handler, which may do next to nothing, to code that may do
/// anything: a pipe, as D. J. Bernstein's "self-pipe trick".
///
/// Dispatch's own signal sources start to listen some time after they are activated, and a signal
/// in between is lost; here the handler stands when `shared` has been touched.
final class SignalPipe: Sendable {
    /// Made at the first use; lasts as long as the process, as its handlers do.
    static let shared = SignalPipe()

    private let listeners = Mutex<[Int: @Sendable (Int32) -> Void]>([:])
    private let nextKey = Atomic<Int>(0)

    // Safe: set once in init, and only kept so that it lives as long as this does.
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
        // Else a peer that closes its connection while we write would end the process.
        signal(SIGPIPE, SIG_IGN)
        for number in [SIGTERM, SIGINT] { signal(number, Self.handler) }
    }

    /// Calls back with each signal from now on; returns a key for `forget`.
    func listen(_ listener: @escaping @Sendable (Int32) -> Void) -> Int {
        let key = nextKey.wrappingAdd(1, ordering: .relaxed).newValue
        listeners.withLock { $0[key] = listener }
        return key
    }

    func forget(_ key: Int) { _ = listeners.withLock { $0.removeValue(forKey: key) } }

    // Formed outside of any actor; only what POSIX allows in a handler: write, and errno as it was.
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
