public import Events
internal import JSON

/// Reads scans and surveys from senders: the body of a request, a value of `scans-inbound`, a line
/// of a scan file. It checks every field, so that services get only well-formed scans.
public struct SubmissionDecoder: Sendable {
    public enum Kind: Hashable, Sendable {
        case scan
        /// A scan that must have a place.
        case survey
        /// A line of a scan file: of any time, with or without a place.
        case file
    }

    public enum Format: Hashable, Sendable {
        /// One object or an array of objects.
        case json
        /// An object on each line. A line that can't be read rejects one scan only.
        case lines
        /// Detects the format from the bytes.
        case detected
    }

    public var kind: Kind
    var maximumBatch: Int

    public init(_ kind: Kind, maximumBatch: Int = ScanLimits.batch) {
        self.kind = kind
        self.maximumBatch = maximumBatch
    }

    /// Reads a body.
    ///
    /// - Returns: one outcome for each object, in order.
    /// - Throws: `body-empty`, `not-json`, `not-utf8`, `too-deep`, `truncated`,
    ///   `number-out-of-range`, `not-an-object` or `batch-too-large`, when nothing in the body can
    ///   be used.
    public func decode(
        body: [UInt8], format: Format = .detected, receivedAt: Timestamp
    ) throws(WireFault) -> [Result<ScanSubmission, RejectedScan>] {
        try body.withUnsafeBufferPointer { (bytes) throws(WireFault) in
            try decode(body: UnsafeRawBufferPointer(bytes), format: format, receivedAt: receivedAt)
        }
    }

    public func decode(
        body: UnsafeRawBufferPointer, format: Format = .detected, receivedAt: Timestamp
    ) throws(WireFault) -> [Result<ScanSubmission, RejectedScan>] {
        if format == .lines || (format == .detected && NDJSONLines.beginsWithTwoObjects(body)) {
            return try decodeLines(body, receivedAt)
        }
        do throws(WireFault) {
            return try withJSON(body) { (root) throws(WireFault) in
                try decode(root, receivedAt)
            }
        } catch {
            // The first line may be the only broken one of a body in lines.
            guard format == .detected, NDJSONLines.areLinesOfObjects(body) else { throw error }
            return try decodeLines(body, receivedAt)
        }
    }

    /// Reads one object, such as a value of `scans-inbound` or a line of a scan file.
    public func decodeOne(
        _ bytes: [UInt8], receivedAt: Timestamp
    ) throws(WireFault) -> ScanSubmission {
        try bytes.withUnsafeBufferPointer { (buffer) throws(WireFault) in
            try decodeOne(UnsafeRawBufferPointer(buffer), receivedAt: receivedAt)
        }
    }

    public func decodeOne(
        _ bytes: UnsafeRawBufferPointer, receivedAt: Timestamp
    ) throws(WireFault) -> ScanSubmission {
        try withJSON(bytes) { (root) throws(WireFault) in try submission(root, receivedAt) }
    }

    private func decode(
        _ root: JSONValue, _ receivedAt: Timestamp
    ) throws(WireFault) -> [Result<ScanSubmission, RejectedScan>] {
        guard let array = root.array else {
            guard root.object != nil else {
                throw WireFault(.notAnObject, "a scan, or an array of scans, is expected")
            }
            return [outcome(index: 0) { () throws(WireFault) in try submission(root, receivedAt) }]
        }
        guard array.count > 0 else { throw WireFault(.bodyEmpty, "the array is empty") }
        guard array.count <= maximumBatch else { throw batchTooLarge }
        var outcomes: [Result<ScanSubmission, RejectedScan>] = []
        outcomes.reserveCapacity(array.count)
        for element in array {
            outcomes.append(
                outcome(index: outcomes.count) { () throws(WireFault) in
                    try submission(element, receivedAt)
                })
        }
        return outcomes
    }

    private func decodeLines(
        _ body: UnsafeRawBufferPointer, _ receivedAt: Timestamp
    ) throws(WireFault) -> [Result<ScanSubmission, RejectedScan>] {
        var outcomes: [Result<ScanSubmission, RejectedScan>] = []
        for line in NDJSONLines(body) {
            guard outcomes.count < maximumBatch else { throw batchTooLarge }
            outcomes.append(
                outcome(index: outcomes.count) { () throws(WireFault) in
                    try decodeOne(line, receivedAt: receivedAt)
                })
        }
        guard !outcomes.isEmpty else { throw WireFault(JSONFault(.empty)) }
        return outcomes
    }

    private func outcome(
        index: Int, _ read: () throws(WireFault) -> ScanSubmission
    ) -> Result<ScanSubmission, RejectedScan> {
        do throws(WireFault) {
            return .success(try read())
        } catch {
            return .failure(RejectedScan(index: index, fault: error))
        }
    }

    private var batchTooLarge: WireFault {
        WireFault(.batchTooLarge, "send at most \(maximumBatch) scans at once")
    }

    func submission(
        _ value: JSONValue, _ receivedAt: Timestamp
    ) throws(WireFault) -> ScanSubmission {
        guard let object = value.object else {
            throw WireFault(.notAnObject, "a scan is an object")
        }
        let reader = try ScanReader(object)
        // The request has the place of a survey that answers it.
        if kind == .survey, reader.place == nil, reader.request == nil {
            throw WireFault(.placeMissing, path: "place", "a survey needs a place")
        }
        // A scan without a time of its own, but with a time of sending, gets the time of arrival.
        // Then a retry is the same scan, although it is sent at another time.
        let isTimed = reader.at != nil
        var scan = ScanSubmission(reader, receivedAt: receivedAt)
        if kind != .file {
            if !isTimed { (scan.at, scan.sentAt) = (receivedAt, nil) }
            try checkTime(scan)
            try checkHeard(scan)
        }
        return scan
    }

    /// Refuses a scan without readings and sensor values. It would still become a position, and a
    /// thousand such scans fit into a few kilobytes.
    private func checkHeard(_ scan: ScanSubmission) throws(WireFault) {
        guard scan.content.saysNothing else { return }
        throw WireFault(
            .nothingHeard,
            "send readings (wifi, ble or heardBy), steps, a magnetic field, gnss or a heading"
        )
    }

    private func checkTime(_ scan: ScanSubmission) throws(WireFault) {
        let corrected = scan.correctedAt.microseconds
        let latest = scan.receivedAt.advanced(byMicroseconds: ScanLimits.futureMicroseconds)
        guard corrected >= ScanLimits.earliestMicroseconds, corrected <= latest.microseconds else {
            throw WireFault(
                .timeOutOfRange, path: "at",
                "\(RFC3339.text(microseconds: corrected)) by the server's clock is before 2000 "
                    + "or later than an hour after its arrival")
        }
    }
}

/// A rejected object of a batch, as the answer to the request lists it.
public struct RejectedScan: Error, Hashable, Sendable {
    /// The index in the body, counted from 0.
    public var index: Int
    public var fault: WireFault

    public init(index: Int, fault: WireFault) {
        self.index = index
        self.fault = fault
    }
}

extension ScanSubmission {
    fileprivate init(_ reader: consuming ScanReader, receivedAt: Timestamp) {
        self.init(at: reader.at ?? reader.sentAt ?? receivedAt, receivedAt: receivedAt)
        id = reader.id
        site = reader.site
        device = reader.device ?? reader.scanner.map { DeviceID($0.text) }
        scanner = reader.scanner ?? reader.device.map { ScannerID($0.text) }
        sentAt = reader.sentAt
        content = reader.content
        place = reader.place
        truth = reader.truth
        request = reader.request
    }
}
