import CSeccomp
import Glibc

/// Whether a program that we start may use the network.
public enum NetworkUse: Hashable, Sendable {
    case denied
    /// For a program that its operator trusts with it.
    case allowed
}

/// Denies the calling thread, and all that it starts from now on, every way to the network, to the
/// sockets of this machine and into other processes, for good: a filter of system calls, which
/// needs no right. Pairs of sockets that know each other only stay possible.
///
/// - Returns: zero, or the code of what went wrong. Then nothing may be started.
func denyNetwork() -> Int32 {
    guard let filter = seccomp_init(allowAll()) else { return ENOMEM }
    defer { seccomp_release(filter) }
    for (code, names) in deniedCalls {
        for name in names {
            let number = seccomp_syscall_resolve_name(name)
            // The kernel of this machine's kind does not have it under this name.
            guard number >= 0 else { continue }
            let result = seccomp_rule_add_array(filter, refuseWith(code), number, 0, nil)
            guard result == 0 else { return -result }
        }
    }
    // The calling thread's alone: the others are ours. It sets `no_new_privs` too.
    return -seccomp_load(filter)
}

/// With the code that a caller gets. `io_uring` can open sockets past the filter, so a program is
/// told that there is none; the rest would reach into us, or take a socket out of another process.
private let deniedCalls: [(code: Int32, names: [String])] = [
    (EACCES, ["socket"]),
    (ENOSYS, ["io_uring_setup", "io_uring_enter", "io_uring_register"]),
    (
        EPERM,
        ["ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp"]
    ),
]

/// Keeps programs that run as the same user from reading this process's memory and environment
/// under `/proc`. It ends core dumps too, which would hold the same.
func hideOurMemory() { _ = forbidReadingOurMemory() }

/// Whether programs of the same user could read it.
var isOurMemoryHidden: Bool { isMemoryReadable() == 0 }
