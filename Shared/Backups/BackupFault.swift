/// Why a backup can't be made, read or restored. The description is for an administrator: the
/// reason, and what to do.
public struct BackupFault: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
