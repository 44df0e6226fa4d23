/// How a program ends; the numbers above 63 are those of sysexits.h.
public enum ExitCode: Int32, Sendable {
    /// Stopped as asked.
    case success = 0
    /// A component failed.
    case failure = 1
    /// The command line was not understood.
    case usage = 64
    /// The environment is wrong.
    case configuration = 78
}
