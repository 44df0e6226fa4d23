public import Events
internal import JSON

/// A report of a device that a node heard, as its sender wrote it.
public struct SightingSubmission: Hashable, Sendable {
    public var site: SiteID?
    /// The node; nil where the sender's token names it.
    public var scanner: ScannerID?
    /// The device's address, or its id: 1 to 128 bytes.
    public var name: String
    public var isAddress: Bool
    /// When the device was heard, by the server's clock.
    public var at: Timestamp
    /// The strength in dBm, -120 to 0.
    public var rssi: Int
    public var distance: MeasuredDistance?

    /// Reads the body of `POST /v1/sightings`.
    ///
    /// - Returns: one outcome for each report, in order.
    /// - Throws: the faults of `BatchReading`.
    public static func read(
        body: [UInt8], receivedAt: Timestamp
    ) throws(WireFault) -> [Result<SightingSubmission, RejectedScan>] {
        let reading = BatchReading(
            maximumCount: ScanLimits.batch, element: "sighting",
            read: { (value) throws(WireFault) in
                try SightingSubmission(value, receivedAt: receivedAt)
            })
        return try body.withUnsafeBufferPointer { (bytes) throws(WireFault) in
            try reading.read(UnsafeRawBufferPointer(bytes), as: .detected)
        }
    }

    init(_ value: JSONValue, receivedAt: Timestamp) throws(WireFault) {
        guard let object = value.object else {
            throw WireFault(.notAnObject, "a sighting is an object")
        }
        let fields = FieldReader(object)
        site = try fields.optional("site")?.identifier(.siteMalformed)
        scanner = try fields.optional("scanner")?.identifier(.scannerMalformed)
        if let address = try fields.optional("address")?.address(.addressMalformed) {
            guard fields.optional("device") == nil else {
                throw WireFault(
                    .fieldOutOfRange, path: "device", "leave out device where address is given")
            }
            (name, isAddress) = (address.text, true)
        } else {
            guard let device = fields.optional("device") else {
                throw WireFault(.fieldMissing, "a sighting needs address or device")
            }
            name = try device.text(maximumBytes: HeardDevice.nameBytes)
            isAddress = false
            guard !name.isEmpty else {
                throw WireFault(.fieldMissing, path: "device", "the name is empty")
            }
        }
        rssi = try fields.required("rssi").signal()
        distance = try fields.distance()
        at = receivedAt
        // A report without a time of its own gets the time of arrival, as a scan does.
        if let own = try fields.optional("at")?.time() {
            let sentAt = try fields.optional("sentAt")?.time()
            at = own.advanced(byMicroseconds: sentAt.map { receivedAt - $0 } ?? 0)
        }
        try ScanLimits.check(at, receivedAt: receivedAt)
    }

    /// - Parameter scanner: the node where the report names none.
    public func heard(by scanner: ScannerID) -> HeardDevice {
        HeardDevice(
            name: name, isAddress: isAddress, scanner: self.scanner ?? scanner, at: at,
            rssi: rssi, distance: distance)
    }
}
