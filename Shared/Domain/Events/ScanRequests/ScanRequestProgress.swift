/// A request for a scan was cancelled (topic `scan-requests`, key `site/scanner`).
public struct ScanRequestCancelled: Hashable, Sendable {
    public var request: ScanRequestKey
    public var cancelledAt: Timestamp

    public init(request: ScanRequestKey, cancelledAt: Timestamp) {
        self.request = request
        self.cancelledAt = cancelledAt
    }
}

/// The scanner has shown that it has the request (topic `scan-requests`, key `site/scanner`).
public struct ScanRequestTaken: Hashable, Sendable {
    public var request: ScanRequestKey
    public var takenAt: Timestamp

    public init(request: ScanRequestKey, takenAt: Timestamp) {
        self.request = request
        self.takenAt = takenAt
    }
}

/// Who asked waits for the result at this copy of scan-ingest (topic `scan-requests`, key
/// `site/scanner`). The newest event counts.
public struct ResultAwaited: Hashable, Sendable {
    public var request: ScanRequestKey
    /// The copy's own address, such as `http://10.0.0.7:8080`.
    public var address: String
    public var awaitedAt: Timestamp

    public init(request: ScanRequestKey, address: String, awaitedAt: Timestamp) {
        self.request = request
        self.address = address
        self.awaitedAt = awaitedAt
    }
}

/// A scanner has answered a request (topic `scan-requests`, key `site/scanner`).
public struct ScanRequestDone: Hashable, Sendable {
    public enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// The scan is on the log.
        case stored
        /// The scan was not stored. The copy where the asker waits has it.
        case answered
        /// The scan was not stored, and nobody was there to take it.
        case dropped
    }

    public var request: ScanRequestKey
    public var outcome: Outcome
    /// The id of the scan, by which a retry is known.
    public var scan: EventID
    public var doneAt: Timestamp

    public init(request: ScanRequestKey, outcome: Outcome, scan: EventID, doneAt: Timestamp) {
        self.request = request
        self.outcome = outcome
        self.scan = scan
        self.doneAt = doneAt
    }
}
