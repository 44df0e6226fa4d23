public import Foundation

extension Process {
    /// Starts the program with no signal blocked. Swift's worker threads block them, and a child
    /// inherits that: it would never hear that it is to end.
    public func runHearingSignals() throws {
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try run()
    }
}
