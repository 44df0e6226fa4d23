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
        let reading = BatchReading(
            maximumCount: maximumBatch, element: "scan",
            read: { (value) throws(WireFault) in try submission(value, receivedAt) })
        return try reading.read(body, as: format)
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

    func submission(
        _ value: JSONValue, _ receivedAt: Timestamp
    ) throws(WireFault) -> ScanSubmission {
        guard let object = value.object else {
            throw WireFault(.notAnObject, "a scan is an object")
        }
        let reader = try ScanReader(object)
        // The request has the place of a survey that answers it.
        if kind == .survey, reader.place == nil, reader.request == nil {
            throw WireFault(.placeMissing, path: "place", "a survey or a tap needs its place")
        }
        // A scan without a time of its own, but with a time of sending, gets the time of arrival.
        // Then a retry is the same scan, although it is sent at another time.
        let isTimed = reader.at != nil
        var scan = ScanSubmission(reader, receivedAt: receivedAt)
        if kind != .file {
            if !isTimed { (scan.at, scan.sentAt) = (receivedAt, nil) }
            try ScanLimits.check(scan.correctedAt, receivedAt: scan.receivedAt)
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
        mayBeOfDraft = reader.mayBeOfDraft
        truth = reader.truth
        request = reader.request
    }
}
