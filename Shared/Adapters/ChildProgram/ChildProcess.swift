import Foundation
import Glibc
import Synchronization
import Threads

/// Held while a pipe is open that a program started at the same moment would inherit: it would keep
/// the pipe's end from being noticed.
let descriptorsInMotion = Mutex(())

/// A command of the shell as a process of ours, under a guardian: a shell that starts it in a
/// session of its own, waits for it, and kills that session's group when it is told to end.
///
/// A thread starts the guardian and waits for its end, which leaves no zombie, and lives as long as
/// it does: the kernel tells the guardian when the thread that started it is gone
/// (`PR_SET_PDEATHSIG` of prctl(2), which `setpriv` asks for), and so when we end in whatever way.
///
/// Safe to share: everything that changes is guarded by the condition.
final class ChildProcess: @unchecked Sendable {
    private enum Phase {
        case starting
        case failed(Int32)
        case running(pid_t)
        /// With the status of waitpid(2).
        case ended(Int32)
    }

    private let changed = NSCondition()
    private var phase = Phase.starting

    /// - Parameters:
    ///   - input: becomes the command's stdin.
    ///   - output: becomes its stdout. Its stderr is ours.
    ///   - network: whether it may use the network; it can't where it may not.
    /// - Throws: `ChildProgramError` when it can't be started.
    init(
        _ command: String, input: Int32, output: Int32, network: NetworkUse
    ) throws(ChildProgramError) {
        hideOurMemory()
        startThread(named: "child-program") { [self] in run(command, input, output, network) }
        changed.lock()
        defer { changed.unlock() }
        while case .starting = phase { changed.wait() }
        if case .failed(let code) = phase {
            throw ChildProgramError(.notStarted, "can't be started", systemCode: code)
        }
    }

    /// How it ended, in words; nil while it runs.
    var ending: String? {
        changed.lock()
        defer { changed.unlock() }
        guard case .ended(let status) = phase else { return nil }
        let (signal, code) = (status & 0x7f, status >> 8 & 0xff)
        // Shells add 128 to the signal that ended their command.
        if signal != 0 || code > 128 { return "by signal \(signal != 0 ? signal : code - 128)" }
        return "with status \(code)"
    }

    /// Waits for its end, and has it killed, with what it started, when the time is over.
    func end(within grace: Duration) {
        changed.lock()
        defer { changed.unlock() }
        // The thread reaps with the condition locked, so the number is still the guardian's own.
        if !isOver(within: grace), case .running(let guardian) = phase { kill(guardian, SIGTERM) }
        if !isOver(within: .seconds(10)), case .running(let guardian) = phase {
            kill(guardian, SIGKILL)
        }
        while case .running = phase { changed.wait() }
    }

    /// Waits with the condition locked.
    private func isOver(within limit: Duration) -> Bool {
        let moment = Date(timeIntervalSinceNow: limit / .seconds(1))
        while case .running = phase {
            guard changed.wait(until: moment) else { break }
        }
        if case .running = phase { return false }
        return true
    }

    private func run(
        _ command: String, _ input: Int32, _ output: Int32, _ network: NetworkUse
    ) {
        var identifier = pid_t()
        // The thread keeps what it is denied, and hands it on to all that it starts; it starts
        // nothing but this program.
        var failure = network == .denied ? denyNetwork() : 0
        if failure == 0 {
            failure = descriptorsInMotion.withLock { _ in
                spawn(command, input, output, &identifier)
            }
        }
        enter(failure == 0 ? .running(identifier) : .failed(failure))
        guard failure == 0 else { return }
        var ending = siginfo_t()
        while waitid(P_PID, id_t(identifier), &ending, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        changed.lock()
        defer { changed.unlock() }
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        phase = .ended(status)
        changed.broadcast()
    }

    private func enter(_ next: Phase) {
        changed.lock()
        phase = next
        changed.broadcast()
        changed.unlock()
    }
}

/// Runs the command, its only argument. It keeps neither end of the pipes, so that each side sees
/// when the other closes its own. Where it is told to end before the new session is there, the
/// command is still a single process.
private let guardian = """
    trap 'kill -s KILL -- "-$!" || kill -s KILL "$!"; wait "$!"; exit 1' TERM
    exec 3<&0 </dev/null 4>&2 2>/dev/null
    setsid /bin/sh -c "$0" <&3 3<&- 2>&4 4>&- &
    exec 3<&- >&- 4>&-
    wait "$!"
    status=$?
    kill -s KILL -- "-$!"
    exit "$status"
    """

/// Zero, or the code of what went wrong.
private func spawn(
    _ command: String, _ input: Int32, _ output: Int32, _ identifier: inout pid_t
) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    // What other parts hold open must not live on in the program: a socket that listens, say.
    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    for end in open.compactMap({ Int32($0) }) where end > 2 {
        posix_spawn_file_actions_addclose(&actions, end)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Services ignore SIGPIPE; the program gets the signals as a shell would start it.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags =
        Int(POSIX_SPAWN_SETPGROUP) | Int(POSIX_SPAWN_SETSIGMASK)
        | Int(POSIX_SPAWN_SETSIGDEF)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let arguments = ["setpriv", "--pdeathsig", "TERM", "/bin/sh", "-c", guardian, command]
    var words = arguments.map { strdup($0) } + [nil]
    var variables = ProgramEnvironment.variables().map { strdup($0) } + [nil]
    defer { for word in words + variables { free(word) } }
    return posix_spawnp(&identifier, "setpriv", &actions, &attributes, &words, &variables)
}
