internal import Events
internal import JSON

/// Limits for senders. Each has a problem code of its own (`WireFault.Code`).
public enum ScanLimits {
    /// The most scans in one request.
    public static let batch = 1_000
    /// The most readings of each kind in one scan.
    public static let readings = 1_000
    /// The most characters of an SSID. It has at most 32 bytes (IEEE 802.11), but senders that
    /// transcode may need more bytes for each character.
    static let ssidCharacters = 32
    static let ssidBytes = 128
    /// Samples of the magnetic field in one scan: fifteen seconds at a hundred a second.
    public static let magneticSamples = 1_500
    /// Milliseconds between the first and the last sample, and between the first and the last step.
    static let magneticMilliseconds = 60_000
    /// The most steps in one scan: three a second.
    public static let steps = 180
    /// The range of a reading's strength, in dBm.
    public static let rssi = -120...0
    /// The range of a measured distance, and of its standard deviation, in metres.
    static let distanceMetres = 0.0...1_000
    static let distanceDeviation = 0.01...1_000
    /// The range of an air pressure, in hPa: that of common sensors, such as Bosch's BMP280 by its
    /// data sheet. It reaches from 9 km above the sea to below the Dead Sea.
    static let pressureHectopascals = 300.0...1_100
    /// 2000-01-01T00:00:00Z: an earlier time comes from a clock that was never set.
    static let earliestMicroseconds: Int64 = 946_684_800_000_000
    /// Microseconds by which a scan's time may lie after its arrival: one hour.
    static let futureMicroseconds: Int64 = 3_600_000_000

    /// - Parameter time: the time of a scan by the server's clock.
    /// - Throws: `time-out-of-range`.
    static func check(_ time: Timestamp, receivedAt: Timestamp) throws(WireFault) {
        let corrected = time.microseconds
        let latest = receivedAt.advanced(byMicroseconds: futureMicroseconds)
        guard corrected >= earliestMicroseconds, corrected <= latest.microseconds else {
            throw WireFault(
                .timeOutOfRange, path: "at",
                "\(RFC3339.text(microseconds: corrected)) by the server's clock is before 2000 "
                    + "or later than an hour after its arrival")
        }
    }
}
