public import Events

/// A barrier that somebody reported on one connection.
public struct ReportedBarrier: Hashable, Sendable {
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// One person reported it. It closes nothing.
        case waiting
        /// A second person or the staff confirmed it: the connection has an outage.
        case confirmed
        /// The staff found no barrier. Reports of the connection count for nothing for a while.
        case dismissed
    }

    /// The id of its outage, too.
    public var id: EventID
    public var site: SiteID
    public var connection: ConnectionID
    public var kind: BarrierKind
    public var reportedAt: Timestamp
    /// The time at which it is gone by itself.
    public var until: Timestamp
    public var state: State
    /// The first reporter; nil once the barrier is confirmed or dismissed.
    public var reporter: BarrierReporter?
    /// The marks of the two addresses whose reports closed the way; none where the staff did.
    public var closers: [UInt8]
    /// Whether both reports that closed the way came from one address, as far as marks tell.
    public var isFromOneAddress: Bool { closers.count == 2 && closers[0] == closers[1] }

    /// Whether one person who finds no barrier ends it. Who has decided had more to go by: two
    /// reports, or the staff.
    public var isEndedByDenial: Bool { state == .waiting }

    public init(
        id: EventID, site: SiteID, connection: ConnectionID, kind: BarrierKind,
        reportedAt: Timestamp, until: Timestamp, state: State, reporter: BarrierReporter?,
        closers: [UInt8] = []
    ) {
        self.id = id
        self.site = site
        self.connection = connection
        self.kind = kind
        self.reportedAt = reportedAt
        self.until = until
        self.state = state
        self.reporter = reporter
        self.closers = closers
    }
}

/// The traces of a reporter. The session's is kept until the barrier is decided or gone, and the
/// address's until the barrier is dismissed or gone.
public struct BarrierReporter: Hashable, Sendable {
    /// A hash of the session or the token together with the barrier's id. Two barriers of one
    /// session have different ones.
    public var session: [UInt8]
    /// One of 256 marks of the address. It tells most addresses apart, and no address follows from
    /// it.
    public var address: UInt8

    public init(session: [UInt8], address: UInt8) {
        self.session = session
        self.address = address
    }
}
