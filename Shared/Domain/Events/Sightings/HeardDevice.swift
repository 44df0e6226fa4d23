/// A device as a node or a foreign system heard it, before its address becomes a pseudonym.
public struct HeardDevice: Hashable, Sendable {
    /// The most bytes of a name.
    public static let nameBytes = 128

    /// The device's address or id as reported, at most 128 bytes.
    public var name: String
    /// Whether the name is a hardware address.
    public var isAddress: Bool
    public var scanner: ScannerID
    public var at: Timestamp
    /// The strength in dBm, -120 to 0.
    public var rssi: Int
    public var distance: MeasuredDistance?

    public init(
        name: String, isAddress: Bool, scanner: ScannerID, at: Timestamp, rssi: Int,
        distance: MeasuredDistance? = nil
    ) {
        self.name = name
        self.isAddress = isAddress
        self.scanner = scanner
        self.at = at
        self.rssi = rssi
        self.distance = distance
    }
}

/// A distance between two devices that one of them measured.
public struct MeasuredDistance: Hashable, Sendable {
    public var metres: Double
    /// The standard deviation in metres.
    public var deviation: Double

    public init(metres: Double, deviation: Double) {
        self.metres = metres
        self.deviation = deviation
    }
}
