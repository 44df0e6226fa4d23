import Foundation

/// Starts a thread for blocking work, because it must not run on the cooperative pool. The thread
/// ends when its work does.
///
/// - Parameters:
///   - name: the thread's name in `top -H`; Linux keeps its first 15 characters.
///   - stackBytes: the limit for the work's stack.
public func startThread(
    named name: String, stackBytes: Int = 1 << 20, _ work: @escaping @Sendable () -> Void
) {
    let thread = Thread(block: work)
    thread.name = name
    thread.stackSize = stackBytes
    thread.start()
}
