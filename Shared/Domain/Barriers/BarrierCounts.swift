/// The numbers of open barriers at a site, for the limits of reports by anybody.
///
/// Without them one person with many sessions could close a site.
public struct BarrierCounts: Hashable, Sendable {
    /// The most barriers of a site that wait for a second report.
    static let mostWaiting = 100
    /// The most of them from one address.
    static let mostWaitingOfAddress = 20
    /// The most connections that are closed because two sessions at one address say so. Visitors of
    /// a campus may share one address, so their reports are worth something, but not much.
    static let mostOfOneAddress = 2
    /// The most connections of a site that visitors have closed.
    private static let mostConfirmed = 20
    /// They close at most one connection in twenty of a small site.
    private static let connectionsPerConfirmed = 20
    /// Even in the smallest sites they may close two.
    private static let leastConfirmed = 2

    public var waiting: Int
    public var waitingOfAddress: Int
    public var confirmed: Int
    /// Those that were closed by this address alone.
    public var confirmedByAddress: Int
    /// The connections of the site.
    public var connections: Int

    public init(
        waiting: Int = 0, waitingOfAddress: Int = 0, confirmed: Int = 0,
        confirmedByAddress: Int = 0, connections: Int = 0
    ) {
        self.waiting = waiting
        self.waitingOfAddress = waitingOfAddress
        self.confirmed = confirmed
        self.confirmedByAddress = confirmedByAddress
        self.connections = connections
    }

    var hasRoomToWait: Bool {
        waiting < Self.mostWaiting && waitingOfAddress < Self.mostWaitingOfAddress
    }

    /// Whether a second report may close one more connection.
    func mayConfirm(fromOneAddress: Bool) -> Bool {
        let most = min(
            Self.mostConfirmed,
            max(Self.leastConfirmed, connections / Self.connectionsPerConfirmed))
        return confirmed < most
            && (!fromOneAddress || confirmedByAddress < Self.mostOfOneAddress)
    }
}
