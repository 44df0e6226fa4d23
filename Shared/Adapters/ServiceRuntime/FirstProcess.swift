import Glibc

/// Lets SIGTERM and SIGINT end this process, if it is the first of a container. The kernel ends no
/// such process by a signal that it does not handle, so `docker stop` would wait in vain.
///
/// `StopSignals` replaces it. Call it before anything else.
public func endAtSignalsAsFirstProcess() {
    guard getpid() == 1 else { return }
    for number in [SIGTERM, SIGINT] { signal(number) { _exit(128 + $0) } }
}
