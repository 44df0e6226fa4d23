/// A device that a node, or a foreign system, says it heard. Personal data of strangers has not
/// been taken out yet, so nothing keeps it.
public struct HeardDevice: Hashable, Sendable {
    /// The most bytes of a name.
    public static let nameBytes = 128

    /// The device's address or id, as it was reported: 1 to 128 bytes.
    public var name: String
    /// Whether the name is a hardware address.
    public var isAddress: Bool
    /// The node that heard the device.
    public var scanner: ScannerID
    /// When it was heard, by the server's clock as far as the sender's is known.
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

/// A distance between two radios that one of them measured, such as by the time of flight.
public struct MeasuredDistance: Hashable, Sendable {
    public var metres: Double
    /// The standard deviation in metres.
    public var deviation: Double

    public init(metres: Double, deviation: Double) {
        self.metres = metres
        self.deviation = deviation
    }
}
