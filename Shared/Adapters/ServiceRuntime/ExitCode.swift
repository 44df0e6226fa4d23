/// The exit codes of a program. Those above 63 are from sysexits.h.
public enum ExitCode: Int32, Sendable {
    /// The program stopped because it was asked to.
    case success = 0
    case failure = 1
    /// The command line has an unknown argument.
    case usage = 64
    /// The environment has a fault.
    case configuration = 78
}
