public import Events
internal import JSON

/// The newest position of a device that a visitor is paired with.
public enum PairedPosition {
    /// The answer to the visitor, with the age by the server's clock: a telephone's may be wrong.
    public static func json(_ position: PositionEstimated, at moment: Timestamp) -> [UInt8] {
        var writer = JSONWriter(capacity: 1_024)
        writer.beginObject()
        writer.field("ageSeconds", max(0, (moment - position.at) / 1_000_000))
        writer.name("position")
        writer.raw(json: position.json)
        writer.endObject()
        return writer.finish()
    }
}

/// One pairing of a visitor's list, as the locator reads it.
public struct ActivePairing: Hashable, Sendable {
    public let scanner: ScannerID
    public let from: Timestamp

    /// Finds a pairing that has not ended; nil where the list has none.
    ///
    /// - Throws: for JSON of another shape.
    public init?(_ id: EventID, in json: [UInt8]) throws(WireFault) {
        let found = try withJSON(json) { (root) throws(WireFault) -> ActivePairing? in
            let fields = try FieldReader(WireValue(root))
            let all = try fields.elements("pairings") { (value) throws(WireFault) in
                try ActivePairing.read(FieldReader(value), id)
            }
            return all.lazy.compactMap(\.self).first
        }
        guard let found else { return nil }
        self = found
    }

    private init(scanner: ScannerID, from: Timestamp) {
        self.scanner = scanner
        self.from = from
    }

    private static func read(
        _ fields: FieldReader, _ id: EventID
    ) throws(WireFault) -> ActivePairing? {
        guard try fields.required("id").eventID() == id, try fields.required("active").bool() else {
            return nil
        }
        return ActivePairing(
            scanner: try fields.required("scanner").identifier(.scannerMalformed),
            from: try fields.required("from").time())
    }
}
