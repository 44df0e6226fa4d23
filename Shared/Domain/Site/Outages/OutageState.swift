public import Events

/// The reason why an outage could not be reported or ended.
public enum OutageRefusal: Error, Hashable, Sendable {
    case unknownConnection(ConnectionID)
    /// A text by people is empty, has more than this many bytes, or contains a control character.
    case unusableText(String, maximumBytes: Int)
    case endsBeforeItBegins
    /// Another outage was reported under the same id.
    case sameIDForAnother
    case tooMany
    /// There is no such outage, or it is already over.
    case nothingToEnd
}

/// The state of an outage, evolved from its events.
public struct OutageState: Hashable, Sendable {
    /// The most outages of a site that are not over.
    public static let openMaximum = 10_000
    static let reasonMaximumBytes = 500
    static let nameMaximumBytes = 200

    /// The report of the outage; nil before it is reported.
    public private(set) var reported: OutageReported?
    public private(set) var ended: OutageEnded?

    public init(reported: OutageReported? = nil, ended: OutageEnded? = nil) {
        self.reported = reported
        self.ended = ended
    }

    /// The event of a report; nil if the same report was made before, so that a sender may retry.
    ///
    /// - Parameters:
    ///   - exists: whether the site has the connection.
    ///   - open: the number of outages of the site that are not over.
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
    ///   - name: the person or system that ends it, in words for people.
    ///   - ender: the id of the account or token that sent the request.
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
