import Glibc

/// Why a program gave no answer. After any of these the program is of no more use, and another is
/// started in its place.
public struct ChildProgramError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        case notStarted
        /// It ended, or closed its output.
        case ended
        case tooSlow
        case lineTooLong
        /// It wrote what nothing was asked for.
        case unasked
        case notReadable
    }

    public var code: Code
    /// In words, as the end of a sentence that begins with the program's name.
    public var reason: String

    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    init(_ code: Code, _ reason: String, systemCode: Int32) {
        self.init(code, "\(reason): \(String(cString: strerror(systemCode)))")
    }

    public var description: String { reason }
}
