public import Events
internal import JSON

/// The results of a request for a scan, as who asked reads them.
public struct ScanResultsAnswer: Sendable {
    public enum State: String, Sendable {
        case waiting, taken, away, answered, stored, dropped, cancelled, over
    }

    public struct Result: Sendable {
        public var scanner: ScannerID
        public var state: State
        public var scanID: EventID?
        /// The scan as JSON, if it was not stored.
        public var scan: [UInt8]?
        /// The position as JSON.
        public var position: [UInt8]?

        public init(_ scanner: ScannerID, _ state: State) {
            self.scanner = scanner
            self.state = state
        }
    }

    public var id: EventID
    public var isDone: Bool
    public var results: [Result]

    public init(id: EventID, isDone: Bool, results: [Result]) {
        self.id = id
        self.isDone = isDone
        self.results = results
    }

    public var json: [UInt8] {
        var writer = JSONWriter(capacity: 4_096)
        writer.beginObject()
        writer.field("id", id)
        writer.field("state", isDone ? "done" : "open")
        writer.array("results", results) { result, writer in
            writer.beginObject()
            writer.field("scanner", result.scanner)
            writer.field("state", result.state.rawValue)
            writer.field("scanId", result.scanID)
            if let scan = result.scan {
                writer.name("scan")
                writer.raw(json: scan)
            }
            if let position = result.position {
                writer.name("position")
                writer.raw(json: position)
            }
            writer.endObject()
        }
        writer.endObject()
        return writer.finish()
    }
}

/// A scan on its way to the copy of scan-ingest where its asker waits.
public struct HandedResult: Sendable {
    public var scanner: ScannerID
    /// Whether the scan is on the log.
    public var stored: Bool
    public var scan: ScanSubmission

    public init(scanner: ScannerID, stored: Bool, scan: ScanSubmission) {
        self.scanner = scanner
        self.stored = stored
        self.scan = scan
    }

    public var json: [UInt8] {
        var writer = JSONWriter(capacity: 4_096)
        writer.beginObject()
        writer.field("scanner", scanner)
        writer.field("stored", stored)
        writer.name("scan")
        scan.write(to: &writer)
        writer.endObject()
        return writer.finish()
    }

    /// - Parameter receivedAt: the time of arrival at this copy.
    public init(json body: [UInt8], receivedAt: Timestamp) throws(WireFault) {
        self = try withJSON(body) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "a handed result is an object")
            }
            let fields = FieldReader(object)
            let scan = try fields.required("scan") { (value) throws(WireFault) in
                try SubmissionDecoder(.scan).submission(value.json, receivedAt)
            }
            return HandedResult(
                scanner: try fields.required("scanner").identifier(.scannerMalformed),
                stored: try fields.required("stored").bool(), scan: scan)
        }
    }
}
