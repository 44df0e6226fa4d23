import CMosquitto
import Glibc
import Synchronization

/// Ends a connection's thread from outside, also while it waits.
///
/// Safe to share: the descriptor never changes, and it is closed when nobody has it any more.
final class MQTTStop: Sendable {
    /// Readable once the stop was asked for.
    let descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    private struct State {
        var isRequested = false
        var delivery: Task<Void, Never>?
    }
    private let state = Mutex(State())

    deinit { close(descriptor) }

    var isRequested: Bool { state.withLock { $0.isRequested } }

    func request() {
        let delivery = state.withLock { state in
            state.isRequested = true
            return state.delivery
        }
        delivery?.cancel()
        eventfd_write(descriptor, 1)
    }

    /// Notes the delivery to cancel at a stop; nil when it has ended.
    func deliver(by task: Task<Void, Never>?) {
        let isRequested = state.withLock { state in
            state.delivery = task
            return state.isRequested
        }
        if isRequested { task?.cancel() }
    }
}
