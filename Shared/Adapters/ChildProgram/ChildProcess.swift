import Foundation
import Glibc
import Synchronization
import Threads

/// Held while a pipe is being opened. A program started at the same moment could inherit the pipe,
/// and its end would then go unnoticed.
let descriptorsInMotion = Mutex(())

/// A shell command as a child process. A guardian shell starts the command in a session of its own
/// and waits for it. When told to end, the guardian kills that session's process group.
///
/// A thread starts the guardian and lives as long as the guardian does. It waits for the guardian,
/// so that no zombie stays. When that thread dies, the kernel signals the guardian
/// (`PR_SET_PDEATHSIG` of prctl(2), set by `setpriv`). So the command ends however this process
/// ends.
///
/// Safe to share: a condition guards everything that changes.
final class ChildProcess: @unchecked Sendable {
    private enum Phase {
        case starting
        case failed(Int32)
        case running(pid_t)
        /// Ended with this status of waitpid(2).
        case ended(Int32)
    }

    private let changed = NSCondition()
    private var phase = Phase.starting

    /// - Parameters:
    ///   - input: the file descriptor for the command's stdin.
    ///   - output: the file descriptor for its stdout. Its stderr is this process's.
    ///   - network: whether the command may use the network.
    /// - Throws: `ChildProgramError` when the command can't be started.
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

    /// How the command ended, as text. Nil while it runs.
    var ending: String? {
        changed.lock()
        defer { changed.unlock() }
        guard case .ended(let status) = phase else { return nil }
        let (signal, code) = (status & 0x7f, status >> 8 & 0xff)
        // Shells return 128 plus the number of the signal that ended their command.
        if signal != 0 || code > 128 { return "by signal \(signal != 0 ? signal : code - 128)" }
        return "with status \(code)"
    }

    /// Waits for the command's end. After the time limit it kills the command and everything the
    /// command started.
    func end(within grace: Duration) {
        changed.lock()
        defer { changed.unlock() }
        // The thread reaps the guardian under this lock, so the process id can't belong to another
        // process yet.
        if !isOver(within: grace), case .running(let guardian) = phase { kill(guardian, SIGTERM) }
        if !isOver(within: .seconds(10)), case .running(let guardian) = phase {
            kill(guardian, SIGKILL)
        }
        while case .running = phase { changed.wait() }
    }

    /// Waits for the end. The caller holds the lock.
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
        // The thread loses its network for good, and so does everything that it starts. It starts
        // nothing but this command.
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

/// The guardian's script, which runs its only argument as a command. It closes its own ends of the
/// pipes, so that each side notices when the other closes. A signal may come before the new session
/// exists; the command is then still a single process.
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

/// Starts the guardian. Returns zero or an error code.
private func spawn(
    _ command: String, _ input: Int32, _ output: Int32, _ identifier: inout pid_t
) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    // File descriptors of other parts of the process, such as a listening socket, must not stay
    // open in the program.
    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    for end in open.compactMap({ Int32($0) }) where end > 2 {
        posix_spawn_file_actions_addclose(&actions, end)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Services ignore SIGPIPE; the program gets the default signals, as from a shell.
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
