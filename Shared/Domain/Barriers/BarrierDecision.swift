public import Events

/// The consequence of a report of a barrier.
public enum BarrierDecision: Hashable, Sendable {
    /// It waits for a second report.
    case waits(ReportedBarrier)
    /// It is confirmed: the connection gets an outage, until the barrier's end.
    case closes(ReportedBarrier)
    /// Nothing changes.
    case stays(ReportedBarrier)
    /// As many barriers of the address wait as may.
    case full
}

/// A report of a barrier by one person.
public struct BarrierReport: Hashable, Sendable {
    public var site: SiteID
    public var connection: ConnectionID
    public var kind: BarrierKind
    public var at: Timestamp
    /// Whether the reporter may report outages. Then nobody needs to confirm it.
    public var isByStaff: Bool
    /// Whether visitors may close the connection. A long street is more than the place where
    /// somebody stands.
    public var isShort: Bool

    public init(
        site: SiteID, connection: ConnectionID, kind: BarrierKind, at moment: Timestamp,
        isByStaff: Bool, isShort: Bool
    ) {
        self.site = site
        self.connection = connection
        self.kind = kind
        self.at = moment
        self.isByStaff = isByStaff
        self.isShort = isShort
    }

    /// A barrier is gone a day after its report, and an outage a day after its confirmation.
    public static let lastsMicroseconds: Int64 = 86_400_000_000
    /// For six hours nobody but the staff reports a barrier where the staff found none.
    static let dismissedMicroseconds: Int64 = 21_600_000_000

    /// Decides on the report.
    ///
    /// - Parameters:
    ///   - known: the barrier on this connection that is not gone; nil for none.
    ///   - id: the id of a new barrier.
    ///   - reporter: the reporter as the known barrier would keep them, or the new one.
    public func decide(
        known: ReportedBarrier?, id: EventID, reporter: BarrierReporter, _ counts: BarrierCounts
    ) -> BarrierDecision {
        let new = ReportedBarrier(
            id: id, site: site, connection: connection, kind: kind, reportedAt: at,
            until: at.advanced(byMicroseconds: Self.lastsMicroseconds), state: .waiting,
            reporter: reporter)
        guard let known, known.until > at else {
            if isByStaff { return .closes(new.confirmed(at: at)) }
            return counts.hasRoomToWait ? .waits(new) : .full
        }
        switch known.state {
        case .confirmed: return .stays(known)
        case .dismissed: return isByStaff ? .closes(new.confirmed(at: at)) : .stays(known)
        case .waiting: break
        }
        if isByStaff { return .closes(known.confirmed(at: at)) }
        guard let first = known.reporter, first.session != reporter.session, isShort else {
            return .stays(known)
        }
        guard counts.mayConfirm else { return .stays(known) }
        var confirmed = known.confirmed(at: at)
        confirmed.closers = [first.address, reporter.address]
        return .closes(confirmed)
    }
}

extension ReportedBarrier {
    /// The barrier once a second person or the staff has confirmed it.
    public func confirmed(at moment: Timestamp) -> ReportedBarrier {
        var barrier = self
        barrier.state = .confirmed
        barrier.until = moment.advanced(byMicroseconds: BarrierReport.lastsMicroseconds)
        barrier.reporter = nil
        return barrier
    }

    /// The barrier once the staff has found that there is none.
    public func dismissed(at moment: Timestamp) -> ReportedBarrier {
        var barrier = self
        barrier.state = .dismissed
        barrier.until = moment.advanced(byMicroseconds: BarrierReport.dismissedMicroseconds)
        barrier.reporter = nil
        barrier.closers = []
        return barrier
    }

    /// The outage of a confirmed barrier.
    ///
    /// - Parameters:
    ///   - moment: when it was confirmed.
    ///   - staff: the id of the account or token of the staff; nil for visitors, of whom the outage
    ///     keeps nothing.
    public func outage(from moment: Timestamp, by staff: String?) -> OutageReported {
        OutageReported(
            site: site, id: id, connection: connection, from: moment, until: until,
            reason: kind.reason, reportedBy: staff == nil ? "visitors" : "staff",
            reportedAt: moment, reporter: staff)
    }
}
