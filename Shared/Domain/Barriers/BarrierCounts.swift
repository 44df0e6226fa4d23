/// The numbers of open barriers at a site, for the limits of reports by anybody.
///
/// Without them one person with many sessions could close a site.
public struct BarrierCounts: Hashable, Sendable {
    /// The most barriers of a site that wait for a second report.
    static let mostWaiting = 100
    /// The most of them from one address.
    static let mostWaitingOfAddress = 20
    /// The most connections that are closed with the help of one address. Visitors of a campus may
    /// share one address, so their reports are worth something, but not much.
    static let mostOfAddress = 2
    /// The most connections of a site that visitors have closed.
    private static let mostConfirmed = 20
    /// They close at most one connection in twenty of a small site.
    private static let connectionsPerConfirmed = 20
    /// Even in the smallest sites they may close two.
    private static let leastConfirmed = 2

    var waitingOfAddress = 0
    /// Those that visitors closed. The staff's are no prank.
    var confirmed = 0
    /// Those that the address closed or helped to close. For a second report the address is the
    /// reporter's or the first reporter's: whichever has more.
    var confirmedByAddress = 0
    /// The connections of the site.
    var connections = 0

    /// Counts for a report.
    ///
    /// - Parameters:
    ///   - open: the barriers of the site that are not gone.
    ///   - known: that of the report's connection; nil for none.
    ///   - address: the mark of the reporter's address.
    ///   - connections: the connections of the site.
    public init(
        _ open: [ReportedBarrier], known: ReportedBarrier?, address: UInt8, connections: Int
    ) {
        waitingOfAddress = open.count { $0.state == .waiting && $0.reporter?.address == address }
        confirmed = open.count { $0.state == .confirmed && !$0.closers.isEmpty }
        let closers = Set([address, known?.reporter?.address ?? address])
        confirmedByAddress =
            closers.map { mark in
                open.count { $0.state == .confirmed && $0.closers.contains(mark) }
            }.max() ?? 0
        self.connections = connections
    }

    /// The barrier that has to go before one more may wait; nil while there is room.
    ///
    /// It is the oldest from the address with most of them. So a few addresses can't keep all
    /// others away.
    public static func leaving(_ open: [ReportedBarrier]) -> ReportedBarrier? {
        let waiting = open.filter { $0.state == .waiting }
        guard waiting.count >= mostWaiting else { return nil }
        let byAddress = Dictionary(grouping: waiting) { $0.reporter?.address }
        return byAddress.values.flatMap { ofAddress in
            ofAddress.map { (count: ofAddress.count, barrier: $0) }
        }.min { one, other in
            (-one.count, one.barrier.reportedAt, one.barrier.id)
                < (-other.count, other.barrier.reportedAt, other.barrier.id)
        }?.barrier
    }

    var hasRoomToWait: Bool { waitingOfAddress < Self.mostWaitingOfAddress }

    /// Whether a second report may close one more connection.
    var mayConfirm: Bool {
        let most = min(
            Self.mostConfirmed,
            max(Self.leastConfirmed, connections / Self.connectionsPerConfirmed))
        return confirmed < most && confirmedByAddress < Self.mostOfAddress
    }
}
