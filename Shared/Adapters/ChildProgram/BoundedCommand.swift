import Foundation
import Glibc

/// Runs a command of the shell to its end, without input and output, and kills it, with all that it
/// started, when its time is over. It has no network, and sees of our environment what
/// `ProgramEnvironment` says. Blocks: not for the cooperative pool.
///
/// - Parameters:
///   - command: for `/bin/sh -c`; what it writes to stderr comes out on ours.
///   - memoryBytes: address space that it may take.
/// - Throws: `ChildProgramError` when it can't be started, fails, or is not done in time.
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
        throw ChildProgramError(.tooSlow, "was not done within \(limit)")
    }
    throw ChildProgramError(.ended, "ended \(process.ending ?? "somehow")")
}
