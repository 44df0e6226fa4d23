public import Events

/// How far a request to one scanner is, evolved from its events. Events may come twice.
public struct ScanRequestStanding: Hashable, Sendable {
    public let requested: ScanRequested
    public private(set) var cancelledAt: Timestamp?
    public private(set) var isTaken = false
    /// The copy of scan-ingest at which the asker waits.
    public private(set) var awaitedAt: String?
    /// When this process read so, by its own clock. Clocks of copies differ.
    private var awaitedSince: Timestamp?
    public private(set) var done: ScanRequestDone?

    public init(_ requested: ScanRequested) { self.requested = requested }

    public mutating func evolve(_ event: ScanRequestCancelled) {
        cancelledAt = cancelledAt ?? event.cancelledAt
    }

    public mutating func evolve(_ event: ScanRequestTaken) { isTaken = true }

    public mutating func evolve(_ event: ResultAwaited, readAt moment: Timestamp) {
        awaitedAt = event.address
        awaitedSince = moment
    }

    /// The first answer counts. One that was dropped may still be followed by another.
    public mutating func evolve(_ event: ScanRequestDone) {
        if done == nil || done?.outcome == .dropped { done = event }
    }

    /// Whether the scanner may still begin.
    public func isOpen(at moment: Timestamp) -> Bool {
        done == nil && cancelledAt == nil && requested.until > moment
    }

    /// Whether an answer may still come. A scanner that has begun in time needs a moment more.
    public func mayBeAnswered(at moment: Timestamp) -> Bool {
        guard done == nil, cancelledAt == nil else { return false }
        return requested.until.advanced(
            byMicroseconds: isTaken ? ScanRequestLimits.lateMicroseconds : 0) > moment
    }

    /// Whether the results may come to another copy for an asker who polls there without waiting.
    ///
    /// The copy that was named last may be gone. A record for each poll would be too many.
    public func mayMove(at moment: Timestamp) -> Bool {
        guard let awaitedSince else { return true }
        return (moment - awaitedSince).magnitude >= ScanRequestLimits.awaitedMicroseconds
    }

    /// Whether the scanner is still told to stop.
    public func isCancelledLately(at moment: Timestamp) -> Bool {
        guard let cancelledAt else { return false }
        return cancelledAt.advanced(byMicroseconds: ScanRequestLimits.cancelledMicroseconds)
            > moment
    }

    public func isForgotten(at moment: Timestamp) -> Bool {
        requested.until.advanced(byMicroseconds: keptMicroseconds) <= moment
    }

    /// The time for which it is known after its end. A scan that is stored may come from a spool,
    /// and the place and the author of a survey are those of its request.
    public var keptMicroseconds: Int64 {
        requested.store
            ? ScanRequestLimits.keptMicroseconds : ScanRequestLimits.passingKeptMicroseconds
    }
}

/// The reason why a scan is no answer to a request.
public enum ScanAnswerRefusal: Error, Hashable, Sendable {
    case cancelled
    /// The scan was made too late, or long before the request.
    case over
    /// The scanner has answered by another scan.
    case answered
    /// The request wants it stored, or not; or with a place, or without.
    case differs
}

/// The way in which a scan answers a request.
public enum ScanAnswerKind: Hashable, Sendable {
    case scan, survey
    /// For the asker alone.
    case passing
}

extension ScanRequestStanding {
    /// Whether the scan answers the request for the first time; false for a retry.
    ///
    /// - Parameter scannedAt: the time of the scan, by the server's clock.
    public func answer(
        by scan: EventID, as kind: ScanAnswerKind, scannedAt: Timestamp
    ) throws(ScanAnswerRefusal) -> Bool {
        let wanted: ScanAnswerKind =
            !requested.store ? .passing : requested.place == nil ? .scan : .survey
        guard kind == wanted else { throw .differs }
        if let done, done.outcome != .dropped {
            guard done.scan == scan else { throw .answered }
            return false
        }
        guard cancelledAt == nil else { throw .cancelled }
        let first = requested.askedAt.advanced(
            byMicroseconds: -ScanRequestLimits.earlyMicroseconds)
        let last = requested.until.advanced(byMicroseconds: ScanRequestLimits.lateMicroseconds)
        guard scannedAt >= first, scannedAt <= last else { throw .over }
        return true
    }
}
