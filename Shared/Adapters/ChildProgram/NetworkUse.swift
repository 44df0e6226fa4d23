import CSeccomp
import Glibc

/// Whether a program that we start may use the network.
public enum NetworkUse: Hashable, Sendable {
    case denied
    /// The operator trusts this program with the network.
    case allowed
}

/// Denies the network, this machine's sockets and other processes' memory to the calling thread and
/// to everything that it starts. It can't be undone. It uses a filter of system calls, which needs
/// no special right. Socket pairs that are connected only to each other stay possible.
///
/// - Returns: zero, or an error code. After an error nothing may be started.
func denyNetwork() -> Int32 {
    guard let filter = seccomp_init(allowAll()) else { return ENOMEM }
    defer { seccomp_release(filter) }
    for (code, names) in deniedCalls {
        for name in names {
            let number = seccomp_syscall_resolve_name(name)
            // This machine's architecture has no system call of this name.
            guard number >= 0 else { continue }
            let result = seccomp_rule_add_array(filter, refuseWith(code), number, 0, nil)
            guard result == 0 else { return -result }
        }
    }
    // Applies to the calling thread alone, since the other threads need the network. It also sets
    // `no_new_privs`.
    return -seccomp_load(filter)
}

/// The denied system calls, with the error code that the caller gets. `io_uring` could open sockets
/// past the filter, so it is reported as missing. The last group could reach into this process, or
/// get a socket from another one.
private let deniedCalls: [(code: Int32, names: [String])] = [
    (EACCES, ["socket"]),
    (ENOSYS, ["io_uring_setup", "io_uring_enter", "io_uring_register"]),
    (
        EPERM,
        ["ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp"]
    ),
]

/// Keeps programs of the same user from reading this process's memory and environment under
/// `/proc`. It also disables core dumps, which contain the same.
func hideOurMemory() { _ = forbidReadingOurMemory() }

/// Whether programs of the same user are kept from reading this process's memory.
var isOurMemoryHidden: Bool { isMemoryReadable() == 0 }
