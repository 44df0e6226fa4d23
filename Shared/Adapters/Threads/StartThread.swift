import Foundation

/// Starts a thread for work that blocks, which must not run on the cooperative pool. The thread
/// ends with its work.
///
/// - Parameters:
///   - name: shown by `top -H`; Linux keeps its first 15 characters.
///   - stackBytes: the most that the work's stack may use.
public func startThread(
    named name: String, stackBytes: Int = 1 << 20, _ work: @escaping @Sendable () -> Void
) {
    let thread = Thread(block: work)
    thread.name = name
    thread.stackSize = stackBytes
    thread.start()
}
