public import Events

/// Why an outage was not taken or not ended.
public enum OutageRefusal: Error, Hashable, Sendable {
    case unknownConnection(ConnectionID)
    /// The texts that people write have 1 to this many bytes and no control character.
    case unusableText(String, maximumBytes: Int)
    /// It would end before it begins.
    case endsBeforeItBegins
    /// Another outage was reported under the same id.
    case sameIDForAnother
    case tooMany
    /// There is no such outage, or it is over already.
    case nothingToEnd
}

/// An outage as its events have made it.
public struct OutageState: Hashable, Sendable {
    /// Outages of a site that are not over, at most.
    public static let openMaximum = 10_000
    static let reasonMaximumBytes = 500
    static let nameMaximumBytes = 200

    /// Nil before the report.
    public private(set) var reported: OutageReported?
    public private(set) var ended: OutageEnded?

    public init(reported: OutageReported? = nil, ended: OutageEnded? = nil) {
        self.reported = reported
        self.ended = ended
    }

    /// Takes a report in; nil when just this was reported before, however often.
    ///
    /// - Parameters:
    ///   - exists: whether the site has the connection.
    ///   - open: how many outages of the site are not over.
    public func report(
        _ report: OutageReported, exists: Bool, open: Int
    ) throws(OutageRefusal) -> OutageReported? {
        if var known = reported {
            known.reportedAt = report.reportedAt
            known.reporter = report.reporter
            guard known == report else { throw .sameIDForAnother }
            return nil
        }
        guard exists else { throw .unknownConnection(report.connection) }
        guard isUsable(report.reason, Self.reasonMaximumBytes) else {
            throw .unusableText("reason", maximumBytes: Self.reasonMaximumBytes)
        }
        guard isUsable(report.reportedBy, Self.nameMaximumBytes) else {
            throw .unusableText("reportedBy", maximumBytes: Self.nameMaximumBytes)
        }
        if let until = report.until, until <= report.from { throw .endsBeforeItBegins }
        guard open < Self.openMaximum else { throw .tooMany }
        return report
    }

    /// - Parameters:
    ///   - name: who ends it, in words for people.
    ///   - ender: the id of the account or token that says so.
    public func end(
        by name: String, ender: String? = nil, at moment: Timestamp
    ) throws(OutageRefusal) -> OutageEnded {
        guard let reported, ended == nil, !reported.isOver(at: moment) else { throw .nothingToEnd }
        guard isUsable(name, Self.nameMaximumBytes) else {
            throw .unusableText("endedBy", maximumBytes: Self.nameMaximumBytes)
        }
        return OutageEnded(outage: reported, endedAt: moment, endedBy: name, ender: ender)
    }

    private func isUsable(_ text: String, _ maximumBytes: Int) -> Bool {
        (1...maximumBytes).contains(text.utf8.count) && !hasControlCharacter(text)
    }
}
