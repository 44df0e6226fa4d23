import Glibc

/// The reason why the spool's directory can't be used.
public struct SpoolError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number that the system gave, such as ENOSPC.
    public var number: Int32
    /// The file and the call that failed.
    public var place: String

    init(_ place: String, _ number: Int32 = errno) {
        self.place = place
        self.number = number
    }

    /// Whether the disk, or the user's share of it, is full.
    var isFullDisk: Bool { number == ENOSPC || number == EDQUOT }

    var isMissing: Bool { number == ENOENT }

    /// Whether the fault is one of this moment and not of the file, such as too many open files.
    var isPassing: Bool { [EINTR, EMFILE, ENFILE, ENOMEM].contains(number) }

    public var description: String { "\(place): \(String(cString: strerror(number)))" }
}
