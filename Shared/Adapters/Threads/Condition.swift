import Glibc

/// A lock with a signal for those who wait.
///
/// Safe to share: the system's functions are made for several threads, and the memory lives as long
/// as this object.
final class Condition: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        let failure = (pthread_mutex_init(mutex, nil), pthread_cond_init(condition, nil))
        precondition(failure == (0, 0), "no lock: \(failure)")
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func lock() { pthread_mutex_lock(mutex) }

    func unlock() { pthread_mutex_unlock(mutex) }

    /// Wakes one that waits. Call it with the lock.
    func signal() { pthread_cond_signal(condition) }

    /// Waits for a signal, or for none. Call it with the lock, and look again afterwards.
    func wait() { pthread_cond_wait(condition, mutex) }
}
