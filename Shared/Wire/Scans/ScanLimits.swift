/// How much a sender may send. Each limit has a code of its own (`WireFault.Code`).
public enum ScanLimits {
    /// Scans in one request.
    public static let batch = 1_000
    /// Readings of each kind in one scan.
    public static let readings = 1_000
    /// An SSID has at most 32 bytes (IEEE 802.11); senders that transcode may need more for each.
    static let ssidCharacters = 32
    static let ssidBytes = 128
    /// Samples of the magnetic field in one scan: fifteen seconds at a hundred a second.
    public static let magneticSamples = 1_500
    /// From the first to the last of them, and of the steps beside them.
    static let magneticMilliseconds = 60_000
    /// Three a second.
    public static let steps = 180
    /// dBm.
    public static let rssi = -120...0
    /// 2000-01-01T00:00:00Z: an earlier time comes from a clock that was never set.
    static let earliestMicroseconds: Int64 = 946_684_800_000_000
    /// How far after its arrival a scan may say that it was made: one hour.
    static let futureMicroseconds: Int64 = 3_600_000_000
}
