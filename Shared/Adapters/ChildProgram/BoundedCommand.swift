import Foundation
import Glibc

/// Runs a shell command to its end, without input and output. If the time limit passes, it kills
/// the command and everything that the command started. The command has no network, and sees only
/// the environment of `ProgramEnvironment`. The call blocks, so it must not run on the cooperative
/// pool.
///
/// - Parameters:
///   - command: the command for `/bin/sh -c`; its stderr goes to this process's stderr.
///   - memoryBytes: the limit of its address space.
/// - Throws: `ChildProgramError` when the command can't start, fails, or exceeds the time limit.
public func runCommand(
    _ command: String, within limit: Duration, memoryBytes: Int
) throws(ChildProgramError) {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard null >= 0 else {
        throw ChildProgramError(.notStarted, "/dev/null can't be opened", systemCode: errno)
    }
    defer { close(null) }
    let bounded = "ulimit -v \(memoryBytes / 1_024); \(command)"
    let start = ContinuousClock.now
    let process = try ChildProcess(bounded, input: null, output: null, network: .denied)
    process.end(within: limit)
    if process.ending == "with status 0" { return }
    guard ContinuousClock.now - start < limit else {
        throw ChildProgramError(.tooSlow, "did not end within \(limit)")
    }
    throw ChildProgramError(.ended, "ended \(process.ending ?? "somehow")")
}
