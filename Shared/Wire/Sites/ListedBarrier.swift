public import Barriers
public import JSON

/// A barrier, as the answers of `/v1/sites/{site}/barriers` have it.
public struct ListedBarrier: Listed {
    public static var listName: StaticString { "barriers" }

    private let barrier: ReportedBarrier
    private let isOwn: Bool

    /// - Parameter isOwn: whether the caller reported it.
    public init(_ barrier: ReportedBarrier, isOwn: Bool) {
        self.barrier = barrier
        self.isOwn = isOwn
    }

    public func writeMembers(to writer: inout JSONWriter) {
        writer.field("id", barrier.id)
        writer.field("site", barrier.site)
        writer.field("connection", barrier.connection)
        writer.field("kind", barrier.kind.rawValue)
        writer.field("state", barrier.state.rawValue)
        writer.field("reportedAt", barrier.reportedAt)
        writer.field("until", barrier.until)
        writer.field("own", isOwn)
        writer.field("fromOneAddress", barrier.isFromOneAddress)
    }
}
