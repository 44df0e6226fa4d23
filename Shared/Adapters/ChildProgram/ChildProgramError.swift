import Glibc

/// The reason why a program gave no answer. After any of these errors the program is useless, and a
/// new one is started.
public struct ChildProgramError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        case notStarted
        /// The program ended or closed its output.
        case ended
        case tooSlow
        case lineTooLong
        /// The program wrote a line that nobody asked for.
        case unasked
        case notReadable
    }

    public var code: Code
    /// The reason as text that continues a sentence after the program's name.
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
